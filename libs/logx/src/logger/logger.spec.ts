import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadlineAfter, OptionsError } from '@apix/contracts';
import { fakeClock } from '@apix/contracts/testing';
import { describe, expect, it, jest } from '@jest/globals';
import type { LogEvent } from '../event/log-event.js';
import { STACK_FIELD_NAME } from '../event/reserved.js';
import { Level, LEVELS, levelName, parseLevel } from '../levels/level.js';
import { customSink } from '../sinks/custom-sink.js';
import type { Sink } from '../sinks/sink.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { throwingSink } from '../testing/throwing-sink.js';
import { createLogger } from './create-logger.js';
import type { Logger } from './logger.js';
import type { LoggerOptions } from './logger-options.js';

const AT = Date.UTC(2026, 10, 21, 3, 4, 5, 678);

function collected(options: LoggerOptions = {}) {
  const logged = collectingSink();
  return { logged, log: createLogger({ clock: fakeClock(AT), sinks: [logged], ...options }) };
}

it('the clock of a logger is that of the rotation of its files', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'logx-clock-'));
  const path = join(directory, 'app.json');
  let now = Date.UTC(2020, 0, 1, 23, 59, 59, 500);
  const clock = { now: () => now, after: () => () => {} };
  const file = { type: 'file', path, rotation: { every: 'daily' as const } };
  const log = createLogger({ clock, sinks: [file] });
  log.info('old');
  await log.flush();
  now += 1_000;
  log.info('new');
  await log.close();
  expect(readdirSync(directory).toSorted()).toEqual([
    'app-2020-01-02T00-00-00.500.json',
    'app.json',
  ]);
  expect(readFileSync(path, 'utf8')).toContain('new');
  rmSync(directory, { recursive: true });
});

describe('levels', () => {
  it('ascend from verbose to fatal', () => {
    expect(LEVELS.map(levelName)).toEqual(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
    expect(LEVELS.toSorted((a, b) => a - b)).toEqual(LEVELS);
  });

  it.each([
    ['verbose', Level.Verbose],
    ['trace', Level.Verbose],
    ['DEBUG', Level.Debug],
    ['Information', Level.Information],
    ['info', Level.Information],
    ['warning', Level.Warning],
    ['Warn', Level.Warning],
    ['error', Level.Error],
    ['fatal', Level.Fatal],
  ])('%s is parsed', (name, level) => {
    expect(parseLevel(name)).toBe(level);
  });

  it.each(['', 'loud', ' info', '30'])('%p is an error that lists the names', (name) => {
    expect(() => parseLevel(name)).toThrow(/^logx: unknown level .*; use one of trace, debug/);
  });

  it('have a default minimum of information', () => {
    const { log, logged } = collected();
    log.debug('no');
    log.information('yes');
    expect(logged.messages).toEqual(['yes']);
    expect(LEVELS.filter((level) => log.enabled(level))).toEqual(LEVELS.slice(2));
  });

  it('of a sink leave out what is below, and are respected by enabled', () => {
    const warnings = collectingSink({ minLevel: Level.Warning });
    const { log, logged } = collected({ level: 'debug' });
    const both = createLogger({ level: 'debug', sinks: [warnings, logged] });
    both.info('a');
    both.warning('b');
    expect([warnings.messages, logged.messages]).toEqual([['b'], ['a', 'b']]);
    const only = createLogger({ level: 'debug', sinks: [warnings] });
    expect([only.enabled(Level.Information), only.enabled(Level.Warning)]).toEqual([false, true]);
    expect(log.enabled(Level.Debug)).toBe(true);
  });

  it('of a child are its own', () => {
    const { log, logged } = collected();
    log.withLevel('debug').debug('child');
    log.withLevel(Level.Error).warning('silent');
    log.debug('parent');
    expect(logged.messages).toEqual(['child']);
    expect(() => log.withLevel('loud' as 'debug')).toThrow(RangeError);
  });

  it.each([
    ['verbose', 'debug'],
    ['debug', 'information'],
    ['information', 'warning'],
    ['info', 'warning'],
    ['log', 'warning'],
    ['warning', 'error'],
    ['warn', 'error'],
    ['error', 'fatal'],
  ] as const)('leave out what %s says below %s', (method, level) => {
    const { log, logged } = collected({ level });
    log[method]('a text');
    log[method](null, 'a text');
    expect(logged.messages).toEqual([]);
  });

  it('of a running logger can be changed for the whole tree', () => {
    const { log, logged } = collected();
    const child = log.forContext('A', 1);
    child.debug('before');
    log.levels.set('debug');
    child.debug('after');
    child.levels.set(Level.Error);
    log.warning('too low');
    expect(logged.messages).toEqual(['after']);
  });

  it('can be changed below a named logger, and forgotten', () => {
    const { log, logged } = collected();
    const orders = log.named('orders');
    const refunds = orders.forContext('logger', 'refunds').forContext('A', 1);
    log.levels.set('debug', 'orders');
    orders.debug('orders');
    refunds.debug('below');
    log.debug('elsewhere');
    log.levels.set('error', 'refunds');
    refunds.info('silent');
    log.levels.reset('orders');
    orders.debug('as before');
    expect(logged.messages).toEqual(['orders', 'below']);
  });

  it('cannot be changed to what is none', () => {
    const { log } = collected();
    expect(() => log.levels.set('loud' as 'debug')).toThrow(RangeError);
    expect(() => createLogger({ level: 'loud' as 'debug' })).toThrow(OptionsError);
  });
});

describe('numbers that are no levels', () => {
  const NUMBERS = [0, 5, 15, 35, 61, 70, -10, NaN, Infinity];

  it.each(NUMBERS)(
    '%d is refused as the level of a logger, a child, a name and a sink',
    (level) => {
      const { log } = collected();
      const wrong = level as Level;
      expect(() => createLogger({ level: wrong })).toThrow(
        `level: unknown level ${level}; use one of`,
      );
      expect(() => collectingSink({ minLevel: wrong })).toThrow(
        `minLevel: unknown level ${level};`,
      );
      expect(() => log.withLevel(wrong)).toThrow(`logx: unknown level ${level}; use one of`);
      expect(() => log.levels.set(wrong, 'orders')).toThrow(`logx: unknown level ${level};`);
      expect(log.enabled(Level.Information)).toBe(true);
    },
  );

  it.each(NUMBERS)('%d as the level of an event logs nothing', (level) => {
    const { log, logged } = collected({ level: 'verbose' });
    log.write({ level: level as Level, template: 'x' });
    expect(logged.count).toBe(0);
  });

  it.each([
    ['silly', 5, 'trace'],
    ['fine', 15, 'trace'],
    ['notice', 35, 'info'],
    ['alert', 55, 'error'],
    ['doom', 70, 'fatal'],
  ])('of pino, such as %s: %d, are the level next below: %s', (name, number, level) => {
    const { log, logged } = collected({ level: 'verbose' });
    const options = { customLevels: { [name]: number }, level: name };
    const child = log.pino.child({}, options) as unknown as Record<string, (text: string) => void>;
    child[name]!('said');
    expect(logged.only()).toMatchObject({ level, message: 'said' });
  });
});

describe('a logger', () => {
  it('attaches errors with their causes', () => {
    const { log, logged } = collected();
    log.error(new Error('saving failed', { cause: new Error('disk full') }), '{A}', 1);
    expect(logged.only()).toMatchObject({
      level: 'error',
      A: 1,
      error: 'saving failed: disk full',
    });
  });

  it.each([
    ['no error', undefined, undefined],
    ['null', null, undefined],
    ['a text', 'plain', 'plain'],
    ['an object', { message: 'odd' }, 'odd'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an error without a message', new TypeError(), 'TypeError'],
    ['many errors', new AggregateError([new Error('a'), new Error('b')], 'both'), 'both [a; b]'],
    ['a cause that the message ends in', new Error('x: y', { cause: new Error('y') }), 'x: y'],
  ])('attaches %s', (_, error, text) => {
    const { log, logged } = collected();
    log.error(error, 'x');
    expect(logged.only()['error']).toBe(text);
  });

  it('captures stacks with their causes, when it is told to, on errors only', () => {
    const { log, logged } = collected({ stackTrace: true });
    log.error(new Error('outer', { cause: new Error('inner') }), 'x');
    log.info('x');
    expect(logged.first()![STACK_FIELD_NAME]).toMatch(
      /^Error: outer\n {4}at [^]*logger\.spec[^]*\nCaused by: Error: inner\n {4}at /,
    );
    expect(logged.last()).not.toHaveProperty('stack');
  });

  it('captures where it was called when there is no error with a stack', () => {
    const { log, logged } = collected({ stackTrace: true });
    log.error(null, 'x');
    expect((logged.only()['stack'] as string).split('\n')[1]).toContain('logger.spec.ts');
  });

  it('toggles stacks for a child', () => {
    const { log, logged } = collected();
    log.withStackTrace(true).forContext('A', 1).error(new Error('x'), 'x');
    log.withStackTrace(true).withStackTrace(false).error(new Error('x'), 'x');
    expect(logged.first()).toHaveProperty('stack');
    expect(logged.last()).not.toHaveProperty('stack');
  });

  it('says where it was called, from every method', () => {
    const { log, logged } = collected({ caller: true, level: 'verbose' });
    log.verbose('x');
    log.debug('x');
    log.information('x');
    log.info('x');
    log.warning('x');
    log.error(null, 'x');
    log.write({ level: Level.Fatal, text: 'x' });
    const callers = [...logged].map(({ caller }) => caller as string);
    const lines = callers.map((caller) => Number(/logger\.spec\.ts:(\d+)$/.exec(caller)![1]));
    expect(lines.map((line) => line - lines[0]!)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('says for whom it was called', () => {
    const { log, logged } = collected({ caller: true });
    const wrapper = (): void => log.write({ level: Level.Warning, text: 'x', boundary: wrapper });
    const user = (): void => wrapper();
    user();
    const line = Number(/:(\d+)$/.exec(logged.only()['caller'] as string)![1]);
    log.warning('x');
    const here = Number(/:(\d+)$/.exec(logged.last()!['caller'] as string)![1]);
    expect(here - line).toBe(3);
  });

  it('enriches children with fields, each of which goes its own way', () => {
    const { log, logged } = collected();
    const child = log.forContextValues({ A: 1, B: undefined, C: 'c' });
    child.named('shop').info('x');
    child.forContext('A', 2).info('y');
    log.info('z');
    expect([...logged].map(({ A, C, service }) => [A, C, service])).toEqual([
      [1, 'c', 'shop'],
      [2, 'c', undefined],
      [undefined, undefined, undefined],
    ]);
    expect(logged.first()).not.toHaveProperty('B');
  });

  it('takes values at the moment of logging', () => {
    const { log, logged } = collected();
    const order = { id: 1 };
    const child = log.forContext('Order', order);
    order.id = 2;
    child.info('{Now}', order);
    expect(logged.only()).toMatchObject({ Order: { id: 1 }, Now: { id: 2 } });
  });

  it('writes an event in one piece, with a text or a template', () => {
    const { log, logged } = collected();
    const fields = { A: 'field', B: 2, C: undefined, level: 'spoofed' };
    log.write({ level: Level.Warning, template: '{A} {{}}', args: ['hole'], fields, error: 'e' });
    log.write({ level: Level.Warning, text: 'braces {A} {{' });
    expect(logged.lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'warn',
        time: '2026-11-21T03:04:05Z',
        '@mt': '{A} {{}}',
        message: 'hole {}',
        A: 'hole',
        B: 2,
        level_: 'spoofed',
        error: 'e',
      },
      {
        level: 'warn',
        time: '2026-11-21T03:04:05Z',
        '@mt': 'braces {{A}} {{{{',
        message: 'braces {A} {{',
      },
    ]);
  });

  it('cuts values at its limits', () => {
    const { log, logged } = collected({ limits: { text: 5, depth: 1, items: 3 } });
    log.info(
      '{Text} {Deep} {List} {Bytes}',
      'x'.repeat(9),
      { a: { b: 1 } },
      [1, 2, 3, 4],
      Buffer.alloc(6),
    );
    expect(logged.only()).toMatchObject({
      Text: 'xxxxx… (4 more characters)',
      Deep: { a: '[Object]' },
      List: [1, 2, 3, '…'],
      Bytes: '[6 bytes, more than the limit of 5]',
    });
    expect(() => createLogger({ limits: { depth: -1 } })).toThrow('logx: limits.depth');
  });
});

describe('sinks of a logger', () => {
  it('get a line that was encoded once for a format', () => {
    const lines: string[] = [];
    const sink = (): Sink => ({ write: (line) => lines.push(line) });
    const events: LogEvent[] = [];
    const { log } = collected({
      sinks: [
        customSink(sink()),
        customSink(sink()),
        customSink(sink(), { format: 'ecs' }),
        customSink({ emit: (event) => events.push(event) }),
      ],
    });
    log.forContext('A', 1).info('{B}', 2);
    expect(lines.map((line) => line.includes('@timestamp'))).toEqual([false, false, true]);
    expect(lines[1]).toBe(lines[0]);
    expect(events[0]).toMatchObject({ level: 30, time: AT, template: '{B}', message: '2' });
    expect(Object.fromEntries(events[0]!.fields)).toEqual({ A: 1, B: 2 });
  });

  it('have a time format of their own', () => {
    const unix = collectingSink({ timeFormat: 'TimeUnix' });
    const { log, logged } = collected();
    createLogger({ clock: fakeClock(AT), sinks: [unix, logged] }).info('x');
    expect([unix.only()['time'], logged.only()['time']]).toEqual([
      1795230245,
      '2026-11-21T03:04:05Z',
    ]);
    expect(log.enabled(Level.Information)).toBe(true);
  });

  it('that fail are told to the error handler, which cannot harm the logger', () => {
    const failures: Error[] = [];
    const logged = collectingSink();
    const log = createLogger({
      sinks: [throwingSink(new Error('full')), logged],
      errorHandler: (error) => {
        failures.push(error);
        log.info('from the handler');
        throw error;
      },
    });
    log.information('still here');
    expect(logged.messages).toEqual(['from the handler', 'still here']);
    expect(failures).toMatchObject([
      { message: 'logx: throwing could not write: full', cause: { message: 'full' } },
    ]);
  });

  it('that fail without a handler disturb nobody', () => {
    const { log, logged } = collected();
    createLogger({ sinks: [throwingSink(), logged] }).info('x');
    expect([logged.count, log.enabled(Level.Information)]).toEqual([1, true]);
  });

  it('that cannot be opened make createLogger throw, and the others are closed', () => {
    const close = jest.fn<() => void>();
    const open = customSink({ write() {}, close });
    const broken = {
      ...open,
      open: () => {
        throw new Error('no such directory');
      },
    };
    expect(() => createLogger({ sinks: [open, broken] })).toThrow('no such directory');
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('get their line whole when another sink logs while it is written', () => {
    const { logged } = collected();
    const bytes: string[] = [];
    const log: Logger = createLogger({
      sinks: [
        customSink({ write: (line) => line.includes('outer') && log.info('inner, and longer') }),
        logged,
        customSink({
          write: () => {},
          writeBytes: (line, length) => bytes.push(line.toString('utf8', 0, length)),
        }),
      ],
    });
    log.info('outer');
    expect(logged.messages).toEqual(['inner, and longer', 'outer']);
    expect(bytes).toEqual(logged.lines.map((line) => `${line}\n`));
  });

  it('get the bytes of all events in one place, also once a sink has logged itself', () => {
    const places: unknown[] = [];
    const log: Logger = createLogger({
      sinks: [
        customSink({ write: (line) => line.includes('"outer"') && log.info('inner') }),
        customSink({ write: () => {}, writeBytes: (bytes) => places.push(bytes) }),
      ],
    });
    for (const text of ['before', 'outer', 'after', 'later']) log.info(text);
    // Of before, inner, outer, after and later: only an event within another has a place of its own.
    const [before, , ...others] = places;
    expect(others.map((place) => place === before)).toEqual([true, true, true]);
  });

  it('may log themselves, a little', () => {
    const { logged } = collected();
    let count = 0;
    const log = createLogger({
      sinks: [
        logged,
        customSink({
          write: () => {
            count++;
            log.info('again');
          },
        }),
      ],
    });
    log.info('x');
    expect([count, logged.count]).toEqual([4, 4]);
  });

  it('are flushed and closed with the root logger, after which nothing is logged', async () => {
    const calls: string[] = [];
    const deadline = deadlineAfter(1_000);
    const sink: Sink = {
      write: () => calls.push('write'),
      flush: async (given) => void calls.push(`flush ${given === deadline}`),
      close: async (given) => void calls.push(`close ${given === deadline}`),
    };
    const { log } = collected({ sinks: [customSink(sink)] });
    log.info('x');
    await log.forContext('A', 1).flush(deadline);
    await log.close(deadline);
    log.info('y');
    await log.close();
    deadline.dispose();
    expect(calls).toEqual(['write', 'flush true', 'close true']);
    expect(log.enabled(Level.Fatal)).toBe(false);
  });

  it('are closed by the root logger only', async () => {
    const { log, logged } = collected();
    await expect(log.named('shop').close()).rejects.toThrow('logx: only the root logger');
    log.info('still open');
    expect(logged.count).toBe(1);
  });

  it('that cannot be closed make close reject, after the others were closed', async () => {
    const close = jest.fn<() => void>();
    const failing = (text: string) =>
      customSink(
        {
          write() {},
          close: () => {
            throw new Error(text);
          },
        },
        { kind: text },
      );
    const one = createLogger({ sinks: [failing('a'), customSink({ write() {}, close })] });
    await expect(one.close()).rejects.toThrow('logx: a could not be closed: a');
    expect(close).toHaveBeenCalledTimes(1);
    const two = createLogger({ sinks: [failing('a'), failing('b')] });
    await expect(two.close()).rejects.toThrow('logx: 2 sinks could not be closed');
  });

  it('that only write have nothing to flush, which is no failure', async () => {
    const failures: string[] = [];
    const { log } = collected({
      sinks: [customSink({ write() {} }), customSink(() => ({ emit() {} }))],
      errorHandler: ({ message }) => void failures.push(message),
    });
    const exit = jest.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${String(code)}`);
    });
    expect(() => log.fatal('the end')).toThrow('exit 1');
    exit.mockRestore();
    await log.flush();
    await log.close();
    expect(failures).toEqual([]);
  });

  it('that fail to flush are told to the error handler', async () => {
    const failures: string[] = [];
    const flush = (): Promise<void> => Promise.reject(new Error('slow'));
    const { log } = collected({
      sinks: [customSink({ write() {}, flush })],
      errorHandler: ({ message }) => void failures.push(message),
    });
    await log.flush();
    expect(failures).toEqual(['logx: custom could not be flushed: slow']);
  });
});
