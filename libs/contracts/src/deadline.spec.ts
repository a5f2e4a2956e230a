import { describe, expect, it } from '@jest/globals';
import { Code } from './code.js';
import { deadlineAfter } from './deadline.js';
import { fakeClock } from './testing/fake-clock.js';

describe('deadlineAfter', () => {
  it('counts down and aborts when the time is up', async () => {
    const clock = fakeClock();
    const deadline = deadlineAfter(1_000, clock);
    expect(deadline.remainingMs()).toBe(1_000);
    await clock.advance(999);
    expect(deadline.remainingMs()).toBe(1);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(deadline.remainingMs()).toBe(0);
    expect(deadline.signal.reason).toMatchObject({
      code: Code.DEADLINE_EXCEEDED,
      message: 'deadline of 1000 ms exceeded',
    });
  });

  it('has never less than nothing left', async () => {
    const clock = fakeClock();
    const deadline = deadlineAfter(10, clock);
    await clock.advance(50);
    expect(deadline.remainingMs()).toBe(0);
  });

  it('leaves no timer behind and never aborts once disposed of', async () => {
    const clock = fakeClock();
    const deadline = deadlineAfter(10, clock);
    deadline.dispose();
    expect(clock.pending).toBe(0);
    await clock.advance(50);
    expect(deadline.signal.aborted).toBe(false);
  });

  it('may be without end', () => {
    const clock = fakeClock();
    const deadline = deadlineAfter(Infinity, clock);
    expect(deadline.remainingMs()).toBe(Infinity);
    expect(clock.pending).toBe(0);
    deadline.dispose();
  });
});
