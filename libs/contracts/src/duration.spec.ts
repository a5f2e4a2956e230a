import { describe, expect, it } from '@jest/globals';
import { formatDuration, parseDuration } from './duration.js';

describe('parseDuration', () => {
  it.each([
    [0, 0],
    [1.5, 1.5],
    ['0s', 0],
    ['0', 0],
    ['500ms', 500],
    ['10s', 10_000],
    ['1.5s', 1_500],
    ['1m30s', 90_000],
    ['1d2h', 93_600_000],
  ])('reads %p as %p ms', (input, ms) => {
    expect(parseDuration(input)).toBe(ms);
  });

  it.each(['', '10', '00', '0 ', '0s0', '-1s', '1 s', 's', '1x', '1s ', -1, Number.NaN, Infinity])(
    'refuses %p and quotes it',
    (input) => {
      expect(() => parseDuration(input)).toThrow(
        /^apix: .* is not a valid duration; use milliseconds or a string/,
      );
    },
  );

  it.each([null, undefined, {}, true])('refuses %p, which is not a text', (input) => {
    expect(() => parseDuration(input as never)).toThrow(RangeError);
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0ms'],
    [500, '500ms'],
    [1_000, '1s'],
    [90_000, '1m30s'],
    [61_500, '1m1.5s'],
    [93_600_000, '1d2h'],
  ])('writes %p ms as %p, which reads back', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
    expect(parseDuration(text)).toBe(ms);
  });
});
