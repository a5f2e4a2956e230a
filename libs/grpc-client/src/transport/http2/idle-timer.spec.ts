import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { IdleTimer } from './idle-timer.js';

describe('the time without calls', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function timed() {
    const onIdle = jest.fn();
    return { onIdle, timer: new IdleTimer(1_000, onIdle) };
  }

  it('is over after as long as it may be, also before the first call', () => {
    const { onIdle } = timed();
    jest.advanceTimersByTime(999);
    expect(onIdle).not.toHaveBeenCalled();
    jest.advanceTimersByTime(10_000);
    expect(onIdle).toHaveBeenCalledTimes(1);
  });

  it('begins with the end of the last call', () => {
    const { onIdle, timer } = timed();
    timer.begin();
    jest.advanceTimersByTime(5_500);
    timer.rest();
    jest.advanceTimersByTime(999);
    expect(onIdle).not.toHaveBeenCalled();
    jest.advanceTimersByTime(2);
    expect(onIdle).toHaveBeenCalledTimes(1);
  });

  it('counts no more once it is stopped', () => {
    const { onIdle, timer } = timed();
    timer.stop();
    jest.advanceTimersByTime(10_000);
    expect(onIdle).not.toHaveBeenCalled();
  });
});
