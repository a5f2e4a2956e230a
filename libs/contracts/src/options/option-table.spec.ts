import { describe, expect, it } from '@jest/globals';
import { Mistakes, OptionsError } from '../mistakes.js';
import { option, parsedOption, required, withDefault } from './option.js';
import {
  arrayOf,
  callable,
  choice,
  DURATION,
  duration,
  finiteNumber,
  FLAG,
  HEADER_VALUE,
  limit,
  objectWith,
  orFalse,
  recordOf,
  shaped,
  TEXT,
  wholeNumber,
} from './option-kinds.js';
import {
  type AnyTable,
  checkedOptions,
  filledSection,
  readOptions,
  schemaOf,
  section,
} from './option-table.js';

const POLICY = {
  mode: withDefault(choice(['enforce', 'shadow']), 'enforce'),
  unannotated: withDefault(choice(['allow', 'deny']), 'allow'),
  timeout: withDefault(duration({ min: 1 }), 5_000),
  subject: required(callable<() => string>(), () => ''),
  tls: section({ cert: TEXT, key: TEXT }),
  drain: filledSection({ delay: withDefault(DURATION, 0) }),
};

function read(table: AnyTable, options: unknown): { value: unknown; found: readonly string[] } {
  const mistakes = new Mistakes();
  const value = readOptions(table, options, '', mistakes);
  return { value, found: mistakes.found };
}

const subject = (): string => 'ada';

describe('a table of options', () => {
  it('reads what is given and fills in the defaults', () => {
    expect(read(POLICY, { subject, mode: 'shadow', timeout: '1m', tls: { cert: 'a' } })).toEqual({
      value: {
        subject,
        mode: 'shadow',
        unannotated: 'allow',
        timeout: 60_000,
        tls: { cert: 'a' },
        drain: { delay: 0 },
      },
      found: [],
    });
  });

  it('names every mistake at once, a misspelt name with the nearest one', () => {
    const options = {
      unanotated: 'deny',
      mod: 'shadow',
      timeout: 'soon',
      tls: { certificate: 'a', kee: 'b' },
      drain: { dealy: 5 },
      nothingLikeIt: 1,
    };
    expect(read(POLICY, options).found).toEqual([
      expect.stringMatching(/^timeout: "soon" is not a valid duration/),
      'subject: must be a function, not undefined',
      'tls.certificate: is not known here; did you mean cert?',
      'tls.kee: is not known here; did you mean key?',
      'drain.dealy: is not known here; did you mean delay?',
      'unanotated: is not known here; did you mean unannotated?',
      'mod: is not known here; did you mean mode?',
      'nothingLikeIt: is not known here; use one of mode, unannotated, timeout, subject, tls, drain',
    ]);
  });

  it.each([
    [undefined, 'must be an object, not undefined'],
    [null, 'must be an object, not null'],
    [[], 'must be an object, not an array'],
    ['shadow', 'must be an object, not "shadow"'],
  ])('refuses %j in place of options', (options, what) => {
    expect(read({ mode: TEXT }, options).found).toEqual([what]);
  });

  it('takes an undefined value for an absent one, and null for a wrong one', () => {
    const table = { level: withDefault(TEXT, 'info') };
    expect(read(table, { level: undefined, other: undefined })).toEqual({
      value: { level: 'info' },
      found: [],
    });
    expect(read(table, { level: null }).found).toEqual([
      'level: must be a non-empty string, not null',
    ]);
  });

  it('does not mistake names of Object.prototype for options', () => {
    const options = JSON.parse('{"__proto__": 1, "constructor": 2}') as unknown;
    expect(read({ mode: TEXT }, options).found).toEqual([
      '__proto__: is not known here; use one of mode',
      'constructor: is not known here; use one of mode',
    ]);
  });

  it('reads each option once', () => {
    let reads = 0;
    const options = {
      get mode() {
        return `read ${++reads}`;
      },
    };
    expect(read({ mode: TEXT }, options).value).toEqual({ mode: 'read 1' });
  });

  it('throws all mistakes as one error, those between options included', () => {
    const refuse = (found: readonly string[]): Error => new OptionsError('shop', found);
    expect(() =>
      checkedOptions({ a: FLAG, b: FLAG }, { a: 1, xyz: true }, refuse, (_, mistakes) =>
        mistakes.add('b', 'cannot be given together with a'),
      ),
    ).toThrow(
      'shop: 3 mistakes:\n  a: must be true or false, not 1\n' +
        '  xyz: is not known here; use one of a, b\n  b: cannot be given together with a',
    );
    expect(checkedOptions({ a: FLAG }, { a: true }, refuse)).toEqual({ a: true });
  });

  it('is a JSON Schema of what a document can hold', () => {
    expect(schemaOf(POLICY)).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {
        mode: { enum: ['enforce', 'shadow'], default: 'enforce' },
        unannotated: { enum: ['allow', 'deny'], default: 'allow' },
        timeout: { type: ['string', 'number'], minimum: 1, default: 5_000 },
        tls: {
          type: 'object',
          additionalProperties: false,
          properties: {
            cert: { type: 'string', minLength: 1 },
            key: { type: 'string', minLength: 1 },
          },
        },
        drain: {
          type: 'object',
          additionalProperties: false,
          properties: { delay: { type: ['string', 'number'], minimum: 0, default: 0 } },
        },
      },
    });
  });
});

describe('a kind of option', () => {
  it.each([
    ['a flag', FLAG, false],
    ['a text', TEXT, 'a'],
    ['a whole number', wholeNumber({ min: 1, max: 3 }), 3],
    ['a number', finiteNumber({ min: 0 }), 0.5],
    ['a limit', limit(), Infinity],
    ['a choice', choice(['a', 'b']), 'b'],
    ['an array', arrayOf(TEXT), ['a', 'b']],
    ['the value of a header', HEADER_VALUE, 'Bearer realm="shop"'],
    ['a record', recordOf(TEXT), { a: 'b' }],
    ['false, which turns off,', orFalse(TEXT), false],
    ['what false turns off', orFalse(TEXT), 'a'],
    ['an object with methods', objectWith('a clock', 'now'), { now: () => 1 }],
    [
      'one of two shapes',
      shaped<string | boolean>((value) => (value === true ? FLAG : TEXT)),
      true,
    ],
  ])('%s is read as it is', (_, kind, value) => {
    expect(read({ it: kind }, { it: value })).toEqual({ value: { it: value }, found: [] });
  });

  it.each([
    [FLAG, 'yes', 'must be true or false, not "yes"'],
    [TEXT, '', 'must be a non-empty string, not ""'],
    [wholeNumber({ min: 1, max: 3 }), 4, 'must be an integer from 1 to 3, not 4'],
    [wholeNumber({ min: 1 }), 1.5, 'must be an integer of at least 1, not 1.5'],
    [wholeNumber(), '1', 'must be an integer, not "1"'],
    [finiteNumber({ max: 1 }), 2, 'must be a number of at most 1, not 2'],
    [finiteNumber(), Infinity, 'must be a number, not Infinity'],
    [limit(), Number.NaN, 'must be a number of at least 0, not NaN'],
    [duration({ min: 1 }), 0, 'must be greater than 0, not 0'],
    [duration({ min: 100 }), '10ms', 'must be at least 100ms, not "10ms"'],
    [duration({ max: 1_000 }), '2s', 'must be at most 1s, not "2s"'],
    [choice(['a', 'b']), 'c', 'must be one of "a", "b", not "c"'],
    [callable(), {}, 'must be a function, not an object'],
    [objectWith('a clock', 'now'), { now: 1 }, 'must be a clock, not an object'],
    [arrayOf(TEXT, 'an array of names'), 'a', 'must be an array of names, not "a"'],
    [
      shaped<string | boolean>((value) => (value === true ? FLAG : TEXT)),
      3,
      'must be a non-empty string, not 3',
    ],
    [recordOf(TEXT, 'an object of texts'), [], 'must be an object of texts, not an array'],
    [HEADER_VALUE, 'a\r\nb: c', 'contains characters that a header cannot have: "a\\r\\nb: c"'],
    [HEADER_VALUE, '', 'must be a non-empty string, not ""'],
    [orFalse(TEXT), true, 'must be a non-empty string, not true'],
    [option('even', (value) => Number(value) % 2 === 0), 3, 'must be even, not 3'],
    [
      parsedOption(() => {
        throw new Error('cron: no such zone');
      }),
      1,
      'no such zone',
    ],
  ])('refuses a wrong value: %#', (kind, value, what) => {
    expect(read({ it: kind }, { it: value }).found).toEqual([`it: ${what}`]);
  });

  it('names the member of a record that is wrong, and leaves it out', () => {
    expect(read({ headers: recordOf(TEXT) }, { headers: { a: 'b', c: 2 } })).toEqual({
      value: { headers: { a: 'b' } },
      found: ['headers.c: must be a non-empty string, not 2'],
    });
  });

  it('names the item of an array that is wrong, and leaves it out', () => {
    expect(read({ names: arrayOf(TEXT) }, { names: ['a', 2, ''] })).toEqual({
      value: { names: ['a'] },
      found: [
        'names[1]: must be a non-empty string, not 2',
        'names[2]: must be a non-empty string, not ""',
      ],
    });
  });
});
