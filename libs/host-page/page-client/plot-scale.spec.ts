import { describe, expect, it } from '@jest/globals';
import { bars, placeOf, points, roundUp } from './plot-scale.js';

describe('the scale of a plot', () => {
  it.each([
    [0, 1],
    [Number.NaN, 1],
    [0.9, 1],
    [1, 1],
    [1.1, 1.2],
    [218, 240],
    [99, 100],
    [0.034, 0.04],
  ])('for values up to %d ends at %d', (value, top) => {
    expect(roundUp(value)).toBeCloseTo(top, 10);
  });

  const box = { left: 10, top: 5, width: 100, height: 50 };

  it('puts the newest value at the right edge, and the largest at the top', () => {
    expect(points([0, 5, 10], 11, 10, box)).toBe('90.0,55.0 100.0,30.0 110.0,5.0');
  });

  it.each([
    [1_000, 110],
    [500, 60],
    [0, 10],
    [-1, undefined],
    [2_000, 110],
  ])('has a mark of the moment %d at %p', (at, place) => {
    expect(placeOf(at, 1_000, 1_000, box)).toBe(place);
  });

  it('has a bar for each value above zero, side by side, and none for the others', () => {
    expect(bars([10, 0, 5], 10, 10, box)).toBe('M85.0,55V5.0M105.0,55V30.0');
    expect(bars([1], 1, 1, box)).toBe('M60.0,55V5.0');
  });

  it('fills the box when there are as many values as are kept', () => {
    expect(points([1, 1, 1], 3, 1, box)).toBe('10.0,5.0 60.0,5.0 110.0,5.0');
    expect(points([1], 1, 1, box)).toBe('110.0,5.0');
    expect(points([], 3, 1, box)).toBe('');
  });
});
