import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonNumber } from './json-number.js';
import { type JsonTree, parseJson } from './parse-json.js';

/** The tree as `JSON.parse` would give it. */
function plain(tree: JsonTree): unknown {
  if (tree instanceof JsonNumber) return Number(tree.text);
  if (Array.isArray(tree)) return tree.map(plain);
  if (typeof tree !== 'object' || tree === null) return tree;
  const entries = Object.entries(tree).map(([key, value]) => [key, plain(value)] as const);
  return Object.fromEntries(entries);
}

describe('parseJson', () => {
  it('reads every document as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8, noUnicodeString: false }), fc.nat(3), (text, indent) => {
        const document = JSON.stringify(JSON.parse(text), null, indent);
        expect(plain(parseJson(document, 100))).toEqual(JSON.parse(document));
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const damaged = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom('', ',', '}', '"', '\\', 'x', '0'))
      .map(([text, at, insert]) => {
        const index = at % (text.length + 1);
        return text.slice(0, index) + insert + text.slice(index + (insert === '' ? 1 : 0));
      })
      .filter((text) => !parses(text));
    fc.assert(
      fc.property(damaged, (text) => {
        expect(() => parseJson(text, 100)).toThrow(/^\$.*: (invalid JSON|given more than once)/);
      }),
    );
  });

  it.each([
    '',
    ' ',
    '{',
    '[1',
    '{"a"',
    '{"a":',
    '{"a":1,}',
    '[1,]',
    '01',
    '1.',
    '.5',
    '+1',
    '--1',
    'tru',
    'truex',
    '"\u0001"',
    '"\\x"',
    '"\\u12"',
    '"\\',
    "'a'",
    '1 2',
    '\u00a01',
  ])('refuses %j', (text) => {
    expect(parses(text)).toBe(false);
    expect(() => parseJson(text, 100)).toThrow(/invalid JSON/);
  });

  it('keeps the digits of a number that a double may not hold', () => {
    expect(parseJson('[1, 9007199254740993, 1e2]', 9)).toEqual([
      1,
      new JsonNumber('9007199254740993'),
      new JsonNumber('1e2'),
    ]);
  });

  it.each([
    ['{"a":1,"a":1}', '$.a'],
    ['{"a":1,"\\u0061":1}', '$.a'],
    ['{"x":[{},{"a b":{"":1,"":2}}]}', '$.x[1]["a b"][""]'],
    ['{"__proto__":1,"__proto__":1}', '$.__proto__'],
  ])('refuses the member given twice in %s', (text, path) => {
    expect(() => parseJson(text, 100)).toThrow(`${path}: given more than once`);
  });

  it('keeps `__proto__` an ordinary member', () => {
    const tree = parseJson('{"__proto__":{"polluted":true}}', 9) as object;
    expect(Object.keys(tree)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(tree)).toBe(Object.prototype);
  });

  it('says line and column of a mistake', () => {
    expect(() => parseJson('{\n  "a": [1, x]\n}', 9)).toThrow(
      '$.a[1]: invalid JSON: expected a value, found "x" at line 2, column 12',
    );
  });

  it('stops at a nesting that would exhaust the stack', () => {
    expect(() => parseJson('['.repeat(1_000_000), 100)).toThrow(/nested deeper than 100 levels/);
    expect(parseJson('[[]]', 2)).toEqual([[]]);
    expect(() => parseJson('[[[]]]', 2)).toThrow('$[0][0]: nested deeper than 2 levels');
  });

  it('cuts short what it repeats of a caller', () => {
    const key = 'k'.repeat(10_000);
    expect(messageOf(() => parseJson(`{"${key}":1,"${key}":1}`, 9)).length).toBeLessThan(200);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
