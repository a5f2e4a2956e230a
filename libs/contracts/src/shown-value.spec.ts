import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { cutText, shownValue, thrownError, thrownText } from './shown-value.js';
import { unreadableValues } from './testing/unreadable-values.js';

describe('shownValue', () => {
  it.each<[unknown, string]>([
    ['soon', '"soon"'],
    ['a"b\n', String.raw`"a\"b\n"`],
    ['x'.repeat(100), `"${'x'.repeat(79)}…"`],
    [-1, '-1'],
    [Number.NaN, 'NaN'],
    [10n, '10'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'undefined'],
    [Symbol('s'), 'Symbol(s)'],
    [{ password: 'x' }, 'an object'],
    [Object.create(null), 'an object'],
    [['x'], 'an array'],
    [() => 'x', 'a function'],
  ])('shows %p as %p', (value, text) => {
    expect(shownValue(value)).toBe(text);
  });
});

it.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['ab😀cd', 4, 'ab…'],
  ['ab😀cd', 5, 'ab😀…'],
  ['😀', 1, '…'],
])('cutText(%j, %i) is %j', (text, limit, cut) => {
  expect(cutText(text, limit)).toBe(cut);
});

it('cutText leaves well-formed text well-formed', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (whole, limit) => {
      const cut = cutText(whole, limit);
      expect(cut.isWellFormed()).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(limit);
      expect(whole.startsWith(cut === whole ? cut : cut.slice(0, -1))).toBe(true);
    }),
  );
});

const revoked = Proxy.revocable({}, {});
revoked.revoke();

describe('thrownText', () => {
  const namedOnly = new TypeError();
  const several = Object.assign(new AggregateError([new Error('a')]), { code: 'ECONNREFUSED' });

  it.each<[string, unknown, string]>([
    ['an error', new Error('out of paper'), 'out of paper'],
    ['an error without a message', namedOnly, 'TypeError'],
    ['an error that has a code only', several, 'ECONNREFUSED'],
    ['an object that looks like an error', { message: 'lost' }, 'lost'],
    ['a text', 'plain', 'plain'],
    ['a number', 7, '7'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an object with a text of its own', { toString: () => 'mine' }, 'mine'],
  ])('reads %s', (_, thrown, text) => {
    expect(thrownText(thrown)).toBe(text);
  });

  it.each<[string, unknown]>([
    ['an object without a prototype', Object.create(null)],
    ['a plain object', { at: 1 }],
    ['an empty text', ''],
    ['a function', () => 'secret'],
    ['a revoked proxy', revoked.proxy],
    [
      'an object whose message cannot be read',
      {
        get message(): string {
          throw new Error('no');
        },
      },
    ],
    [
      'an object whose toString throws',
      {
        toString() {
          throw new Error('no');
        },
      },
    ],
  ])('says of %s only that it was thrown', (_, thrown) => {
    expect(thrownText(thrown)).toBe('a value that cannot be converted to text was thrown');
  });
});

describe('thrownError', () => {
  it('is the error itself, with all of its properties', () => {
    const error = Object.assign(new TypeError('out of paper'), { code: 'E_PAPER' });
    expect(thrownError(error)).toBe(error);
  });

  it('is an error with the text of anything else', () => {
    expect(thrownError('plain')).toEqual(new Error('plain'));
  });

  it.each(unreadableValues())('is an error that can be read for %s', (_, thrown) => {
    const { message, name, stack } = thrownError(thrown);
    expect([message, name, stack].map((text) => typeof text)).toEqual([
      'string',
      'string',
      'string',
    ]);
    expect(message).not.toBe('');
  });
});
