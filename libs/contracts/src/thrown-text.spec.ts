import { describe, expect, it } from '@jest/globals';
import { unreadableValues } from './testing/unreadable-values.js';
import { thrownError, thrownText } from './thrown-text.js';

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
