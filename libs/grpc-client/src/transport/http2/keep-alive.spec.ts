import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeepAlive } from './keep-alive.js';

type PingCallback = (error: Error | null) => void;

function watched(rules = {}) {
  const pings: PingCallback[] = [];
  const dead = jest.fn();
  const session = {
    destroyed: false,
    ping: (callback: PingCallback) => {
      pings.push(callback);
      return true;
    },
  };
  const all = { timeMs: 1_000, timeoutMs: 100, withoutCalls: false, ...rules };
  return { pings, dead, keepAlive: new KeepAlive(session, all, dead) };
}

describe('a connection', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is asked again and again while there are calls, and goes on as long as it answers', () => {
    const { pings, dead, keepAlive } = watched();
    keepAlive.begin();
    for (let round = 1; round <= 3; round += 1) {
      jest.advanceTimersByTime(1_000);
      expect(pings).toHaveLength(round);
      pings.at(-1)!(null);
    }
    jest.advanceTimersByTime(500);
    expect(dead).not.toHaveBeenCalled();
    keepAlive.stop();
  });

  it('that does not answer in time is dead', () => {
    const { dead, keepAlive } = watched();
    keepAlive.begin();
    jest.advanceTimersByTime(1_099);
    expect(dead).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(dead).toHaveBeenCalledTimes(1);
  });

  it('without calls is not asked until the next one, and then at once where it was due', () => {
    const { pings, keepAlive } = watched();
    keepAlive.begin();
    keepAlive.rest();
    jest.advanceTimersByTime(60_000);
    expect(pings).toHaveLength(0);
    keepAlive.begin();
    expect(pings).toHaveLength(1);
    keepAlive.stop();
  });

  it.each([
    [{ withoutCalls: true }, 1],
    [{ withoutCalls: true, timeMs: Infinity }, 0],
  ])('with %j is asked %d times without any call', (rules, times) => {
    const { pings, keepAlive } = watched(rules);
    jest.advanceTimersByTime(1_000);
    expect(pings).toHaveLength(times);
    keepAlive.stop();
  });
});
