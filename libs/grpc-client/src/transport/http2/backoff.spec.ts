import { describe, expect, it } from '@jest/globals';
import { BACKOFF_LIMITS, ConnectionBackoff } from './backoff.js';

describe('the pauses between attempts to connect', () => {
  it('grow by 1.6 up to two minutes, and begin again after a connection', () => {
    const backoff = new ConnectionBackoff(BACKOFF_LIMITS, () => 0.5);
    const pauses = Array.from({ length: 13 }, () => Math.round(backoff.next()));
    expect(pauses.slice(0, 4)).toEqual([1_000, 1_600, 2_560, 4_096]);
    expect(pauses.slice(-2)).toEqual([120_000, 120_000]);
    backoff.reset();
    expect(backoff.next()).toBe(1_000);
  });

  it.each([
    [0, 800],
    [1, 1_200],
  ])('differ by a fifth: %d is %d', (random, pause) => {
    expect(new ConnectionBackoff(BACKOFF_LIMITS, () => random).next()).toBeCloseTo(pause);
  });
});
