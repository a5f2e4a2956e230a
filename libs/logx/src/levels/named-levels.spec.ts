import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ConfigError } from '../config/config-error.js';
import { configOf, loadConfig } from '../config/load-config.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { Level, LEVELS } from './level.js';
import { NamedLevels } from './named-levels.js';

const lowest = (log: Logger): Level | undefined => LEVELS.find((level) => log.enabled(level));

function rootOf(levels: Record<string, string | null>) {
  const document = JSON.parse(JSON.stringify({ levels })) as object;
  const { sinks: _, ...options } = configOf(document).options();
  return createLogger({ ...options, sinks: [collectingSink()] });
}

describe('levels by name', () => {
  it.each<[string, Level]>([
    ['Shop', Level.Warning],
    ['Shop.Orders', Level.Debug],
    ['Shop.Orders.Mail', Level.Debug],
    ['Shop.Orders.Mail.Queue', Level.Error],
    ['Shop.Orders.Mail.Queue.Retry', Level.Error],
    ['Shop.OrdersArchive', Level.Warning],
    ['Shopping', Level.Information],
    ['shop', Level.Information],
    ['.Shop', Level.Information],
    ['404', Level.Fatal],
    ['', Level.Information],
  ])('give a logger named %j the level of the longest name, in whole parts', (name, level) => {
    const root = rootOf({
      Shop: 'Warning',
      'Shop.Orders': 'debug',
      'Shop.Orders.Mail.Queue': 'ERROR',
      404: 'fatal',
    });
    expect(lowest(root.named(name))).toBe(level);
    expect(lowest(root.forContext('logger', name))).toBe(level);
    expect(lowest(root.forContext('tenant', name))).toBe(Level.Information);
  });

  it('apply to the innermost name that has one, below withLevel', () => {
    const root = rootOf({ orders: 'debug', 'mail.queue': 'error' });
    const orders = root.named('orders');
    expect(lowest(orders.forContext('logger', 'mail'))).toBe(Level.Debug);
    expect(lowest(orders.forContext('logger', 'mail.queue.retry'))).toBe(Level.Error);
    expect(lowest(orders.withLevel('fatal').forContext('A', 1))).toBe(Level.Fatal);
    expect(lowest(orders.withLevel('fatal').forContext('logger', 'mail.queue'))).toBe(Level.Error);
  });

  it('are those set in code before those of the options, which apply again after a reset', () => {
    const root = rootOf({ orders: 'error', 'orders.mail': 'warning' });
    const mail = root.named('orders.mail.queue');
    root.levels.set('debug', 'orders');
    expect(lowest(mail)).toBe(Level.Warning);
    expect(lowest(root.named('orders'))).toBe(Level.Debug);
    root.levels.set('verbose', 'orders.mail');
    expect(lowest(mail)).toBe(Level.Verbose);
    root.levels.reset('orders.mail');
    expect(lowest(mail)).toBe(Level.Warning);
  });

  it('may be null, as in the file of a profile that takes one away', () => {
    expect(lowest(rootOf({ orders: null }).named('orders'))).toBe(Level.Information);
  });

  it('cannot be lower than those of the sinks', () => {
    const sinks = [collectingSink({ minLevel: 'warning' })];
    const root = createLogger({ levels: { orders: 'debug' }, sinks });
    expect(lowest(root.named('orders'))).toBe(Level.Warning);
  });

  it.each([
    ['levels: { "": debug }', 'levels[""]: is not the name of a logger'],
    ['levels: { "*": debug }', 'levels["*"]: is not the name of a logger'],
    ['levels: { orders.*: debug }', 'levels["orders.*"]: must not contain *'],
    ['levels: { orders.: debug }', 'levels["orders."]: must not begin or end with a dot'],
    ['levels: { orders.mail: loud }', 'levels["orders.mail"]: unknown level "loud"'],
    ['levels: { orders: 5 }', 'levels.orders: unknown level 5'],
    ['levels: { __proto__: loud }', 'levels.__proto__: unknown level "loud"'],
    ['levels: debug', 'levels: must be an object of levels by name, not "debug"'],
    ['levels: [debug]', 'levels: must be an object of levels by name, not an array'],
    ['level: { Default: debug }', 'level: unknown level an object'],
    ['levls: { orders: debug }', 'levls: is not known here; did you mean levels?'],
  ])('are refused in %s', (text, mistake) => {
    const mistakes = (): readonly string[] => {
      try {
        loadConfig(text);
        return [];
      } catch (error) {
        return (error as ConfigError).mistakes;
      }
    };
    expect(mistakes()).toEqual([expect.stringContaining(mistake)]);
  });

  it.each(['', '*', 'orders.*', '.orders'])('cannot be set in code for the name %j', (name) => {
    const root = rootOf({});
    expect(() => root.levels.set('debug', name)).toThrow(RangeError);
    expect(lowest(root)).toBe(Level.Information);
  });

  it('may have names of the language', () => {
    const root = createLogger(
      loadConfig('levels: { __proto__: debug, constructor: error }').options(),
    );
    expect(lowest(root.named('__proto__'))).toBe(Level.Debug);
    expect(lowest(root.named('constructor.name'))).toBe(Level.Error);
    expect(lowest(root.named('toString'))).toBe(Level.Information);
  });

  it('are found among ten thousand, also for a name of a million dots', () => {
    const entries = Array.from({ length: 10_000 }, (_, i) => [`shop.part${i}`, 'debug'] as const);
    const root = rootOf(Object.fromEntries(entries));
    const start = performance.now();
    for (let i = 0; i < 10_000; i++)
      expect(root.named(`shop.part${i}.x`).enabled(Level.Debug)).toBe(true);
    expect(root.named('.'.repeat(1_000_000)).enabled(Level.Debug)).toBe(false);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('are what a search of all names finds', () => {
    const part = fc.constantFrom('a', 'b', 'ab', '');
    const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
    const levels = fc.dictionary(name, fc.constantFrom(...LEVELS));
    fc.assert(
      fc.property(levels, levels, name, (configured, set, sought) => {
        const named = new NamedLevels();
        named.configure(configured);
        for (const [each, level] of Object.entries(set)) named.set(each, level);
        const all = { ...configured, ...set };
        const found = Object.keys(all)
          .filter((each) => each !== '' && (each === sought || sought.startsWith(`${each}.`)))
          .toSorted((a, b) => b.length - a.length)[0];
        expect(named.find(sought)).toBe(found === undefined ? undefined : all[found]);
      }),
    );
  });
});
