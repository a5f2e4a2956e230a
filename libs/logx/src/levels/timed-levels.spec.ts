import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { Level, LEVELS } from './level.js';
import { LevelTree } from './level-tree.js';

const lowest = (log: Logger): Level | undefined => LEVELS.find((level) => log.enabled(level));

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const root = () =>
  createLogger({ level: 'information', levels: { orders: 'warning' }, sinks: [collectingSink()] });

describe('a level that is set for a while', () => {
  it.each<[string, string | undefined, Level]>([
    ['a name', 'orders', Level.Warning],
    ['a name below', 'orders.mail.queue', Level.Warning],
    ['all loggers', undefined, Level.Information],
  ])('applies to %s until its time is over', (_, name, before) => {
    const log = root();
    const logger = name === undefined ? log : log.named(name);
    log.levels.set('debug', name, { duration: '15m' });
    expect(lowest(logger)).toBe(Level.Debug);
    jest.advanceTimersByTime(899_999);
    expect(lowest(logger)).toBe(Level.Debug);
    jest.advanceTimersByTime(1);
    expect(lowest(logger)).toBe(before);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is followed by what was set meanwhile in another way', () => {
    const log = root();
    log.levels.set('debug', 'orders', { duration: '15m' });
    log.levels.set('debug', undefined, { duration: '15m' });
    (log.levels as LevelTree).configure(Level.Error, { orders: Level.Fatal });
    expect([lowest(log), lowest(log.named('orders'))]).toEqual([Level.Debug, Level.Debug]);
    jest.advanceTimersByTime(900_000);
    expect([lowest(log), lowest(log.named('orders'))]).toEqual([Level.Error, Level.Fatal]);
  });

  it('is replaced by a later one, whose time counts', () => {
    const log = root();
    const orders = log.named('orders');
    log.levels.set('debug', 'orders', { duration: '1m' });
    log.levels.set('verbose', 'orders', { duration: '10m' });
    jest.advanceTimersByTime(60_000);
    expect(lowest(orders)).toBe(Level.Verbose);
    jest.advanceTimersByTime(540_000);
    expect(lowest(orders)).toBe(Level.Warning);
  });

  it.each<[string, (log: Logger) => void, [Level, Level]]>([
    [
      'a level without an end',
      ({ levels }) => {
        levels.set('error', 'orders');
        levels.set('fatal');
      },
      [Level.Fatal, Level.Error],
    ],
    [
      'reset',
      ({ levels }) => {
        levels.reset('orders');
        levels.reset();
      },
      [Level.Information, Level.Warning],
    ],
  ])('is ended by %s, and leaves no timer', (_, end, after) => {
    const log = root();
    log.levels.set('debug', 'orders', { duration: '15m' });
    log.levels.set('debug', undefined, { duration: '15m' });
    end(log);
    expect([lowest(log), lowest(log.named('orders'))]).toEqual(after);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('changes nothing if its time is over, and does not end without one', () => {
    const log = root();
    log.levels.set('debug', 'orders', { until: new Date(0) });
    expect(lowest(log.named('orders'))).toBe(Level.Warning);
    log.levels.set('debug', 'orders', {});
    expect(jest.getTimerCount()).toBe(0);
    expect(lowest(log.named('orders'))).toBe(Level.Debug);
  });

  it('is refused with a wrong name or duration, and an earlier one stays', () => {
    const { levels } = root();
    levels.set('debug', 'orders', { duration: '15m' });
    expect(() => levels.set('debug', 'orders', { duration: 'soon' as never })).toThrow(
      'logx: levels.set: duration: ',
    );
    expect(() => levels.set('debug', '*', { duration: '1m' })).toThrow(RangeError);
    expect([...(levels as LevelTree).timed.keys()]).toEqual(['orders']);
  });
});
