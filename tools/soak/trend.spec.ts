import { describe, expect, it } from '@jest/globals';
import { bytesPerRequest } from './trend.js';

const readings = (byte: (index: number) => number) =>
  Array.from({ length: 40 }, (_, index) => ({ requests: index * 3_000, bytes: byte(index) }));

/** The same noise in every run, ± 200 kB. */
const noise = (index: number): number => Math.sin(index * 12.9898) * 200_000;

describe('bytesPerRequest', () => {
  it.each([
    ['nothing for a flat heap', 0],
    ['a leak of 64 bytes a request', 64],
    ['a heap that shrinks', -64],
  ])('finds %s under noise', (_, leak) => {
    const found = bytesPerRequest(readings((index) => 60e6 + index * 3_000 * leak + noise(index)));

    expect(Math.abs(found - leak)).toBeLessThan(4);
  });

  it('is not moved by one reading that is off', () => {
    expect(bytesPerRequest(readings((index) => (index === 39 ? 500e6 : 60e6)))).toBe(0);
  });

  it('is 0 for fewer than two readings', () => {
    expect(bytesPerRequest([{ requests: 1, bytes: 1 }])).toBe(0);
    expect(bytesPerRequest([])).toBe(0);
  });
});
