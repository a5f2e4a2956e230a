import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isBranch, merge, valueAt, withValueAt } from './tree.js';

const key = fc.constantFrom('a', 'b', 'c');
const tree = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, 0, 'x', true),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(key, tie('tree')),
  ),
})).tree;

describe('merge', () => {
  it('lets the upper tree win everywhere, and keeps what it does not mention', () => {
    fc.assert(
      fc.property(fc.dictionary(key, tree), fc.dictionary(key, tree), key, (under, over, k) => {
        const merged = valueAt(merge(under, over), [k]);
        const [below, above] = [valueAt(under, [k]), valueAt(over, [k])];
        if (above === undefined) return expect(merged).toEqual(below);
        return expect(merged).toEqual(
          isBranch(above) && isBranch(below) ? merge(below, above) : above,
        );
      }),
    );
  });

  it('changes neither side, and leaves alone what has nothing over it', () => {
    fc.assert(
      fc.property(tree, tree, (under, over) => {
        const before = JSON.stringify([under, over]);
        merge({ r: under }, { r: over });
        expect(JSON.stringify([under, over])).toBe(before);
        expect(merge({ r: under }, {})).toEqual({ r: under });
      }),
    );
  });
});

describe('withValueAt', () => {
  it('has a value that is no object be found where it was put, and changes nothing else', () => {
    fc.assert(
      fc.property(tree, fc.array(key, { minLength: 1, maxLength: 3 }), (under, path) => {
        const before = JSON.stringify(under);
        expect(valueAt(withValueAt(under, path, 'new'), path)).toBe('new');
        expect(JSON.stringify(under)).toBe(before);
      }),
    );
  });
});
