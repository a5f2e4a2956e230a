import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MAX_TIMER_MS, systemClock, deadlineAfter } from './clock.js';
import { Code } from './code.js';
import { fakeClock } from './testing/fake-clock.js';

describe('systemClock', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('tells the time of the machine', () => {
    jest.setSystemTime(1_234);
    expect(systemClock.now()).toBe(1_234);
  });

  it.each([
    ['after a while', 250],
    ['after the longest timer', MAX_TIMER_MS],
    ['after more than a timer can hold', 2 * MAX_TIMER_MS + 7],
  ])('fires %s, once and not before', (_, ms) => {
    const fn = jest.fn();
    systemClock.after(ms, fn);
    jest.advanceTimersByTime(ms - 1);
    expect(fn).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    jest.advanceTimersByTime(10);
    expect(fn).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([0, -5])('fires a delay of %i at the next turn', (ms) => {
    const fn = jest.fn();
    systemClock.after(ms, fn);
    expect(fn).not.toHaveBeenCalled();
    jest.advanceTimersByTime(0);
    expect(fn).toHaveBeenCalledTimes(1);
  });

  it('can be cancelled at any time, also on the way through a long delay and when done', () => {
    const fn = jest.fn();
    const cancel = systemClock.after(2 * MAX_TIMER_MS, fn);
    jest.advanceTimersByTime(MAX_TIMER_MS + 5);
    cancel();
    cancel();
    expect(jest.getTimerCount()).toBe(0);
    expect(fn).not.toHaveBeenCalled();
  });
});

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
