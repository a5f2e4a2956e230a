import { describe, expect, it } from '@jest/globals';
import { shownValue } from './shown-value.js';

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
