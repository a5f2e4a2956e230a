import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { sampleOf } from './sample.js';

const items = Array.from({ length: 1_000 }, (_, i) => i);

describe('sampleOf', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(sampleOf(items, 50, 1)).toEqual(sampleOf(items, 50, 1));
    expect(sampleOf(items, 50, 2)).not.toEqual(sampleOf(items, 50, 1));
  });

  it('has each item once, in order, and no more than there are', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(30), fc.nat(), (length, size, seed) => {
        const sample = sampleOf(items.slice(0, length), size, seed);
        expect(sample).toHaveLength(Math.min(length, size));
        expect(sample).toEqual([...new Set(sample)].toSorted((a, b) => a - b));
      }),
    );
  });

  it('is spread over the whole list', () => {
    const tenths = new Set(sampleOf(items, 100, 1).map((item) => Math.floor(item / 100)));
    expect(tenths.size).toBe(10);
  });
});
