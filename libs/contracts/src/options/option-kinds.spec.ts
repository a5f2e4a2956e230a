import { describe, expect, it } from '@jest/globals';
import { Mistakes } from '../mistakes.js';
import type { Option } from './option.js';
import {
  callable,
  choice,
  DURATION,
  duration,
  finiteNumber,
  FLAG,
  TEXT,
  wholeNumber,
} from './option-kinds.js';

const NOT_A_DURATION =
  'is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"';

describe('an option', () => {
  it.each<[string, Option<unknown>, unknown, unknown]>([
    ['a duration', DURATION, '1m30s', 90_000],
    ['a duration on its bounds', duration({ min: 5, max: 5 }), 5, 5],
    ['an integer', wholeNumber({ min: 0 }), 3, 3],
    ['a number', finiteNumber({ min: 0, max: 1 }), 0.5, 0.5],
    ['a choice', choice(['a', 'b']), 'b', 'b'],
    ['a text', TEXT, 'x', 'x'],
    ['a flag', FLAG, false, false],
    ['a function', callable(), Number, Number],
  ])('reads %s', (_, { read }, value, expected) => {
    const mistakes = new Mistakes();
    expect(read(value, 'it', mistakes)).toBe(expected);
    expect(mistakes.found).toEqual([]);
  });

  it.each<[Option<unknown>, unknown, string]>([
    [DURATION, 'soon', `"soon" ${NOT_A_DURATION}`],
    [DURATION, -1, `-1 ${NOT_A_DURATION}`],
    [DURATION, null, `null ${NOT_A_DURATION}`],
    [duration({ min: 1 }), 0, 'must be greater than 0, not 0'],
    [duration({ min: 2_000 }), '1s', 'must be at least 2s, not "1s"'],
    [duration({ max: 2_000 }), '3s', 'must be at most 2s, not "3s"'],
    [wholeNumber(), 1.5, 'must be an integer, not 1.5'],
    [wholeNumber({ min: 0 }), -1, 'must be an integer of at least 0, not -1'],
    [wholeNumber({ max: 8 }), 9, 'must be an integer of at most 8, not 9'],
    [wholeNumber({ min: 0, max: 65_535 }), '80', 'must be an integer from 0 to 65535, not "80"'],
    [finiteNumber(), Number.NaN, 'must be a number, not NaN'],
    [choice(['a', 'b']), 'c', 'must be one of "a", "b", not "c"'],
    [TEXT, '', 'must be a non-empty string, not ""'],
    [FLAG, 'yes', 'must be true or false, not "yes"'],
    [callable(), 7, 'must be a function, not 7'],
  ])('of %p notes %p as a mistake', ({ read }, value, mistake) => {
    const mistakes = new Mistakes();
    expect(read(value, 'it', mistakes)).toBeUndefined();
    expect(mistakes.found).toEqual([`it: ${mistake}`]);
  });
});
