import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { type DrainBegin, DrainDelay } from './drain-delay.js';

const BALANCED: DrainBegin = { defaultDelayMs: 5_000, skipsDelay: false };
const ALONE: DrainBegin = { defaultDelayMs: 0, skipsDelay: false };
const AT_ONCE: DrainBegin = { defaultDelayMs: 5_000, skipsDelay: true };

describe('a drain delay', () => {
  it.each<[number | undefined, boolean, DrainBegin | undefined, number]>([
    [undefined, false, undefined, 5_000],
    [undefined, false, BALANCED, 5_000],
    [undefined, false, ALONE, 0],
    [undefined, false, AT_ONCE, 0],
    [700, false, ALONE, 700],
    [700, false, AT_ONCE, 0],
    [0, true, BALANCED, 0],
    [700, true, AT_ONCE, 700],
    [undefined, true, ALONE, 5_000],
    [undefined, true, AT_ONCE, 5_000],
  ])('of %j ms, to be held always: %j, is under %j %d ms', (delayMs, always, begin, expected) => {
    expect(new DrainDelay(delayMs, fakeClock(), always).begin(begin)).toBe(expected);
  });
});
