import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { kinds } from '../../kinds.fixture.js';
import type { JsonReading } from './json-progress.js';
import { readJson } from './json-value.js';
import { readJsonDocument } from './read-document.js';
import { skipValue } from './containers.js';

const reading: JsonReading = { registry: kinds.registry, ignoreUnknown: false, maxDepth: 100 };

/** Reads a document as a google.protobuf.Struct holds it. */
function parse(text: string | Uint8Array, maxDepth = 100): unknown {
  return readJsonDocument(text, { ...reading, maxDepth }, readJson);
}

/** Goes past a document as past a member that nobody knows. */
function skip(text: string, maxDepth = 100): void {
  readJsonDocument(text, { ...reading, maxDepth }, skipValue);
}

/** Both ways to go through any JSON. */
const WAYS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['reads', parse],
  ['skips', skip],
];

const WRONG = [
  '',
  ' ',
  '{',
  '[1',
  '{"a"',
  '{"a":',
  '{"a":1,}',
  '[1,]',
  '01',
  '-',
  '1.',
  '1e',
  '.5',
  '+1',
  '--1',
  'tru',
  'truex',
  'nul',
  '"\u0001"',
  '"\\x"',
  '"\\u12"',
  '"\\',
  "'a'",
  '1 2',
  '\u00a01',
  '\u0000',
  '1\u0000',
];

describe('JSON text', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8, noUnicodeString: false }), fc.nat(3), (text, indent) => {
        const document = JSON.stringify(JSON.parse(text), null, indent);
        expect(parse(document)).toEqual(JSON.parse(document));
      }),
    );
  });

  it.each(WAYS)('is refused where JSON.parse refuses it, by what %s it', (_, way) => {
    const damaged = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom('', ',', '}', '"', '\\', 'x', '0'))
      .map(([text, at, insert]) => {
        const index = at % (text.length + 1);
        return text.slice(0, index) + insert + text.slice(index + (insert === '' ? 1 : 0));
      })
      .filter((text) => !parses(text));
    fc.assert(
      fc.property(damaged, (text) => {
        expect(() => way(text)).toThrow(/^\$.*: (invalid JSON|given more than once|.* is out of)/);
      }),
    );
  });

  it.each(WAYS.flatMap(([name, way]) => WRONG.map((text) => [name, text, way] as const)))(
    'is none for what %s %j',
    (_, text, way) => {
      expect(parses(text)).toBe(false);
      expect(() => way(text)).toThrow(/invalid JSON/);
    },
  );

  it.each(
    WAYS.flatMap(([name, way]) =>
      [
        ['{"a":1,"a":1}', '$.a'],
        ['{"a":1,"\\u0061":1}', '$.a'],
        ['{"x":[{},{"a b":{"":1,"":2}}]}', '$.x[1]["a b"][""]'],
        ['{"__proto__":1,"__proto__":1}', '$.__proto__'],
      ].map(([text = '', path = '']) => [name, text, path, way] as const),
    ),
  )('has no member twice for what %s %s', (_, text, path, way) => {
    expect(() => way(text)).toThrow(`${path}: given more than once`);
  });

  it('keeps `__proto__` an ordinary member', () => {
    const tree = parse('{"__proto__":{"polluted":true}}') as object;
    expect(Object.keys(tree)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(tree)).toBe(Object.prototype);
  });

  it('says line and column of a mistake', () => {
    expect(() => parse('{\n  "a": ["größe", x]\n}')).toThrow(
      '$.a[1]: invalid JSON: expected a value, found "x" at line 2, column 18',
    );
    expect(() => parse('\n\n["😀", x]')).toThrow('found "x" at line 3, column 8');
    expect(() => parse('\n\nx')).toThrow('found "x" at line 3, column 1');
  });

  it('says which character is wrong, also one beyond the first plane', () => {
    expect(() => parse('[😀]')).toThrow('expected a value, found "😀" at line 1, column 2');
  });

  it('stops at a nesting that would exhaust the stack', () => {
    expect(() => parse('['.repeat(1_000_000))).toThrow(/nested deeper than 100 levels/);
    expect(() => skip('['.repeat(1_000_000))).toThrow(/nested deeper than 303 levels/);
    expect(parse('[[]]', 4)).toEqual([[]]);
    expect(() => parse('[[[]]]', 4)).toThrow('$[0][0]: messages nested deeper than 4 levels');
    expect(() => skip(`${'['.repeat(6)}${']'.repeat(6)}`, 1)).not.toThrow();
    expect(() => skip(`${'['.repeat(7)}${']'.repeat(7)}`, 1)).toThrow(
      '$[0][0][0][0][0][0]: nested deeper than 6 levels',
    );
  });

  it('cuts short what it repeats of a caller', () => {
    const key = 'k'.repeat(10_000);
    expect(messageOf(() => parse(`{"${key}":1,"${key}":1}`)).length).toBeLessThan(200);
  });

  it.each([
    ['a byte order mark before it', '\ufeff{}', {}],
    [
      'texts longer than a window',
      JSON.stringify(['ä'.repeat(9_000), 'b'.repeat(9_000)]),
      undefined,
    ],
    [
      'many texts across windows',
      JSON.stringify(Array.from({ length: 3_000 }, (_, i) => `text ${i}`)),
      undefined,
    ],
  ])('may have %s', (_, text, expected) => {
    expect(parse(Buffer.from(text))).toEqual(expected ?? JSON.parse(text));
  });

  it('refuses half of a surrogate pair, as UTF-8 has none', () => {
    expect(() => parse('["\\ud800"]')).toThrow('$[0]: invalid UTF8');
    expect(() => parse('["\ud800"]')).toThrow('$: invalid UTF-16');
    expect(parse('["\\ud83d\\ude00"]')).toEqual(['😀']);
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
