import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutText, shownValue } from './shown-value.js';

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
