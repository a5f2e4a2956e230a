import { describe, expect, it } from '@jest/globals';
import {
  figureText,
  megabytesText,
  millisecondsText,
  rateText,
  numberText,
  relativeText,
  spanText,
  timeText,
} from './texts.js';

describe('the texts of the page', () => {
  it.each([
    [2_097_152, 'By', '2.00 MB'],
    [512, 'By', '512 bytes'],
    [0.25, 's', '250 ms'],
    [7_200, 's', '2h'],
    [12.34, 'ms', '12.3 ms'],
    [3, '{request}', '3 requests'],
    [1, '{request}', '1 request'],
    [0, '{entry}', '0 entries'],
    [2, '{day}', '2 days'],
    [2, '{batch}', '2 batches'],
    [1, '1', '1'],
    [5, '', '5'],
  ])('says the figure %d %s as %s', (value, unit, text) => {
    expect(figureText(value, unit)).toBe(text);
  });

  it.each([
    [-5, '0s'],
    [999, '0s'],
    [42_900, '42s'],
    [310_000, '5m 10s'],
    [300_000, '5m'],
    [86_460_000, '1d'],
    [600_000, '10m'],
    [620_000, '10m 20s'],
    [7_500_000, '2h 5m'],
    [183_600_000, '2d 3h'],
  ])('%d ms are the span %s', (ms, text) => {
    expect(spanText(ms)).toBe(text);
  });

  it.each([
    [0, 'now'],
    [999, 'now'],
    [-999, 'now'],
    [61_000, 'in 1m 1s'],
    [-61_000, '1m 1s ago'],
  ])('a time %d ms away is %s', (ms, text) => {
    expect(relativeText(1e12 + ms, 1e12)).toBe(text);
  });

  it.each([
    [0, '0 ms'],
    [0.424, '0.42 ms'],
    [12.34, '12.3 ms'],
    [999.4, '999 ms'],
    [1_234, '1.23 s'],
    [61_250, '61.3 s'],
  ])('%d ms are %s', (ms, text) => {
    expect(millisecondsText(ms)).toBe(text);
  });

  it.each([
    [0, '0/s'],
    [0.034, '0.03/s'],
    [12.34, '12.3/s'],
  ])('%d in a second are %s', (perSecond, text) => {
    expect(rateText(perSecond)).toBe(text);
  });

  it.each([
    [0, '0 MB'],
    [53.26, '53.3 MB'],
    [218.4, '218 MB'],
  ])('%d MB are %s', (mb, text) => {
    expect(megabytesText(mb)).toBe(text);
  });

  it('a time of another day has its date', () => {
    const noon = new Date(2026, 10, 24, 12, 0, 5).getTime();
    expect(timeText(noon, noon + 3_600_000)).toMatch(/^12:00:05/);
    expect(timeText(noon, noon + 86_400_000)).toMatch(/24.*12:00:05/);
  });

  it('numbers have their thousands apart, and no long tails', () => {
    expect(numberText(1_234_567.891_23)).toBe('1,234,567.891');
  });
});
