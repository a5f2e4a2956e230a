import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { type DrainBegin, DrainDelay, type GivenDrain } from './drain-delay.js';

const BALANCED: DrainBegin = { defaultDelayMs: 5_000, skipsDelay: false };
const ALONE: DrainBegin = { defaultDelayMs: 0, skipsDelay: false };
const AT_ONCE: DrainBegin = { defaultDelayMs: 5_000, skipsDelay: true };

const given = (begin: DrainBegin, drain: GivenDrain): DrainBegin => ({ ...begin, given: drain });

describe('a drain delay', () => {
  it.each<[number | undefined, boolean | undefined, DrainBegin | undefined, number]>([
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
    [undefined, undefined, given(BALANCED, { delay: 0 }), 0],
    [undefined, undefined, given(ALONE, { delay: 200 }), 200],
    [undefined, undefined, given(AT_ONCE, { delay: 200 }), 0],
    [undefined, undefined, given(AT_ONCE, { delay: 200, always: true }), 200],
    [undefined, undefined, given(ALONE, { always: true }), 5_000],
    [undefined, true, given(AT_ONCE, { delay: 200 }), 200],
    [undefined, false, given(AT_ONCE, { always: true }), 0],
    [700, undefined, given(BALANCED, { delay: 0 }), 700],
    [700, undefined, given(AT_ONCE, { always: true }), 700],
  ])('of %j ms, to be held always: %j, is under %j %d ms', (delayMs, always, begin, expected) => {
    expect(new DrainDelay(delayMs, fakeClock(), always).begin(begin)).toBe(expected);
  });
});
