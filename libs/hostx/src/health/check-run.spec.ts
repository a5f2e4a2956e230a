import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { CheckRun } from './check-run.js';
import { checkerFunc } from './checker.js';

describe('the outcome of a check', () => {
  it('is kept for its time, from the very moment on, and not after a clock was set back', async () => {
    const clock = fakeClock(1_000_000);
    const run = new CheckRun(clock);
    let runs = 0;
    const check = checkerFunc('db', () => {
      runs += 1;
      throw new Error(`refused ${runs}`);
    });
    const outcome = () => run.outcome(check, { timeoutMs: 1_000, cacheMs: 5_000 });
    expect(await outcome()).toBe('refused 1');
    expect(await outcome()).toBe('refused 1');
    await clock.advance(4_999);
    expect(await outcome()).toBe('refused 1');
    await clock.advance(1);
    expect(await outcome()).toBe('refused 2');
    clock.jump(-60_000);
    expect(await outcome()).toBe('refused 3');
  });
});
