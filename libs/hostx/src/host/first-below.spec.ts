import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FirstBelow } from './first-below.js';

describe('FirstBelow', () => {
  it('finds what a search from the left finds', () => {
    const change = fc.tuple(fc.nat(20), fc.nat(30));
    fc.assert(
      fc.property(fc.array(change), fc.nat(20), fc.nat(30), (changes, index, limit) => {
        const plain = Array.from({ length: 21 }, () => Infinity);
        const tree = new FirstBelow(21);
        for (const [at, value] of changes) {
          plain[at] = value;
          tree.set(at, value);
        }
        const found = plain.findIndex((value, at) => at > index && value < limit);
        expect(tree.after(index, limit)).toBe(found < 0 ? null : found);
        expect(plain.map((_, at) => tree.at(at))).toEqual(plain);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of one number has nothing after it', () => {
    const tree = new FirstBelow(1);
    tree.set(0, 0);
    expect(tree.after(0, 1)).toBeNull();
  });
});
