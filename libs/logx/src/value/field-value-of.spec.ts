import { describe, expect, it } from '@jest/globals';
import { fieldValueOf } from './field-value-of.js';
import { resolveLimits } from './value-limits.js';

describe('a value as a field', () => {
  it.each<[unknown, unknown]>([
    ['text', 'text'],
    [1.5, 1.5],
    [true, true],
    [7n, 7n],
    [undefined, null],
    [null, null],
    [
      [1, undefined],
      [1, null],
    ],
    [{ a: 1 }, { a: 1 }],
  ])('%p is %p', (value, expected) => {
    expect(fieldValueOf(value, resolveLimits())).toEqual(expected);
  });
});
