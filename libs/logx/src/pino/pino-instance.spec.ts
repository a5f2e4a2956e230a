import type { Logger as PinoLogger } from 'pino';
import { describe, expect, it } from '@jest/globals';
import type { Logger } from '../logger/logger.js';
import { createLogger } from '../logger/create-logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import { isAsExpected, pinoFor } from './pino-instance.js';
import { PINO_SYMBOLS } from './pino-internals.js';
import type { PinoEntry, PinoTarget } from './pino-target.js';

const declined = new Error('card declined');

function entriesOf(log: (logger: PinoLogger) => void, symbols = PINO_SYMBOLS): PinoEntry[] {
  const entries: PinoEntry[] = [];
  const target: PinoTarget = {
    enabled: (level) => level >= 30,
    write: (entry) => entries.push(entry),
    flush: () => Promise.resolve(),
    flushSync: () => {},
  };
  log(pinoFor(target, symbols));
  return entries;
}

/** The fields that an entry has, wherever pino's bindings ended up. */
function flat({ level, message, fields, bindings }: PinoEntry): object {
  return { level, message, ...bindings, ...fields };
}

describe("pino's inside", () => {
  it('is as we expect; if not, look at what pino changed and at docs/decisions/0060', () => {
    expect(isAsExpected(PINO_SYMBOLS)).toBe(true);
  });

  it.each(['asJson', 'bindings', 'serializers', 'formatters'] as const)(
    'is found to be otherwise without %s',
    (name) => {
      expect(isAsExpected({ ...PINO_SYMBOLS, [name]: Symbol('gone') })).toBe(false);
    },
  );
});

describe.each([
  ['with its serialiser replaced', PINO_SYMBOLS],
  ['with its lines read again', { ...PINO_SYMBOLS, asJson: Symbol('gone') }],
])('a pino logger %s', (_, symbols) => {
  it.each<[string, (log: PinoLogger) => void, object]>([
    ['a text', (log) => log.info('hello'), { message: 'hello' }],
    ['a format', (log) => log.info('%s is %d', 'a', 1), { message: 'a is 1' }],
    [
      'fields',
      (log) => log.info({ a: 1, b: { c: [true] } }, 'x'),
      { message: 'x', a: 1, b: { c: [true] } },
    ],
    ['fields alone', (log) => log.info({ a: 1 }), { message: '', a: 1 }],
    ['a message among the fields', (log) => log.info({ msg: 'x', a: 1 }), { message: 'x', a: 1 }],
    [
      'bindings',
      (log) => log.child({ a: 1 }).child({ b: 2 }).info('x'),
      { message: 'x', a: 1, b: 2 },
    ],
    [
      'bindings of a child and its own field',
      (log) => log.child({ a: 1 }).info({ a: 2 }, 'x'),
      { message: 'x', a: 2 },
    ],
    [
      'bindings set later',
      (log) => {
        const child = log.child({ a: 1 });
        child.debug('not written');
        child.setBindings({ b: 2 });
        child.info('x');
      },
      { message: 'x', a: 1, b: 2 },
    ],
    [
      'serialisers of a child',
      (log) => log.child({ q: 1 }, { serializers: { q: (q: number) => -q } }).info({ q: 5 }, 'x'),
      { message: 'x', q: -5 },
    ],
    [
      'formatters of a child',
      (log) => log.child({}, { formatters: { log: (o) => ({ ...o, f: 1 }) } }).info({ a: 2 }, 'x'),
      { message: 'x', a: 2, f: 1 },
    ],
    [
      'redaction of a child',
      (log) => log.child({}, { redact: ['a.b'] }).info({ a: { b: 1, c: 2 } }, 'x'),
      { message: 'x', a: { b: '[Redacted]', c: 2 } },
    ],
    ['a prefix', (log) => log.child({}, { msgPrefix: '[p] ' }).info('x'), { message: '[p] x' }],
    ['an err that is none', (log) => log.info({ err: 'text' }, 'x'), { message: 'x', err: 'text' }],
    ['an err that is null', (log) => log.info({ err: null }, 'x'), { message: 'x', err: null }],
  ])('hands over %s', (_case, log, expected) => {
    const [entry, ...others] = entriesOf(log, symbols);
    expect(others).toEqual([]);
    expect(flat(entry!)).toEqual({ level: 30, ...expected });
    expect(entry!.error).toBeUndefined();
  });

  it('hands over errors', () => {
    const cause = new Error('inner');
    const [plain, merged] = entriesOf((log) => {
      log.error(new Error('outer', { cause }));
      log.warn({ err: new Error('outer'), a: 1 }, 'own text');
    }, symbols);
    expect(plain).toMatchObject({
      level: 50,
      error: { message: expect.stringContaining('outer') },
    });
    expect(merged).toMatchObject({ level: 40, message: 'own text', fields: { a: 1 } });
    expect(merged!.fields).not.toHaveProperty('err');
  });

  it.each<[string, readonly unknown[], object, string | undefined]>([
    [
      'an error',
      ['refund of %s failed', 'o-17', declined],
      { message: 'refund of o-17 failed' },
      'card declined',
    ],
    [
      'an error and fields',
      [{ a: 1 }, '100% of %s lost', 0, 'o-17', declined, { tenant: 'acme' }],
      { message: '100% of o-17 lost', a: 1, tenant: 'acme' },
      'card declined',
    ],
    [
      'an error without other values',
      ['100%% sure', declined],
      { message: '100% sure' },
      'card declined',
    ],
    [
      'an error after a text that is not the first argument',
      [null, 'refund of %s failed', 'o-17', declined],
      { message: 'refund of o-17 failed' },
      'card declined',
    ],
    [
      'a second error, which is left out',
      [declined, 'refund of %s failed', 'o-17', new Error('late')],
      { message: 'refund of o-17 failed' },
      'card declined',
    ],
    [
      'an error that fills a place of the text',
      ['failed: %s', declined],
      { message: 'failed: Error: card declined' },
      undefined,
    ],
  ])('hands over what follows the values of a text: %s', (_case, args, expected, text) => {
    // Pino's types do not allow such calls, but code without them makes them.
    const log = (logger: PinoLogger): void => Reflect.apply(logger.error, logger, args);
    const [entry, ...others] = entriesOf((logger) => log(logger.child({})), symbols);
    expect(others).toEqual([]);
    expect(flat(entry!)).toEqual({ level: 50, ...expected });
    expect((entry!.error as Error | undefined)?.message).toBe(text);
  });

  it('leaves levels to the target', () => {
    const entries = entriesOf((log) => {
      log.debug('too low');
      expect([log.isLevelEnabled('debug'), log.isLevelEnabled('info')]).toEqual([false, true]);
      const child = log.child({}, { level: 'error' });
      child.warn('too low for the child');
      expect([child.isLevelEnabled('warn'), child.isLevelEnabled('error')]).toEqual([false, true]);
      child.error('x');
    }, symbols);
    expect(entries.map(({ message }) => message)).toEqual(['x']);
  });

  it('knows levels of its own', () => {
    const [entry] = entriesOf((log) => {
      const child = log.child({}, { customLevels: { notice: 35 } });
      child.notice('x');
    }, symbols);
    expect(entry).toMatchObject({ level: 35, message: 'x' });
  });
});

describe('pino of a logger', () => {
  const collected = (options: LoggerOptions = {}): { logged: CollectingSink; log: Logger } => {
    const logged = collectingSink();
    return { logged, log: createLogger({ sinks: [logged], timestamp: false, ...options }) };
  };

  it('writes events to the same sinks, with the fields of both', () => {
    const { log, logged } = collected();
    const { pino } = log.forContext('RequestId', 'r');
    pino
      .child({ module: 'db', message: 'spoofed' })
      .warn({ ms: 3, time: 'spoofed' }, 'slow {query}');
    expect(logged.lines).toEqual([
      '{"level":"warn","RequestId":"r","module":"db","message_":"spoofed","@mt":"slow {{query}}",' +
        '"ms":3,"time_":"spoofed","message":"slow {query}"}',
    ]);
  });

  it('attaches errors as the logger does', () => {
    const { log, logged } = collected({ stackTrace: true });
    log.pino.error(new Error('outer', { cause: new Error('inner') }), 'failed');
    expect(logged.only()).toMatchObject({
      message: 'failed',
      error: 'outer: inner',
      stack: expect.stringContaining('Caused by: Error: inner'),
    });
    expect(logged.only()).not.toHaveProperty('err');
  });

  it('is the same one each time', () => {
    const { log } = collected();
    expect(log.pino).toBe(log.pino);
  });

  it('follows the levels of the logger, and redaction', () => {
    const { log, logged } = collected({ redact: ['password'] });
    const { pino } = log.named('db');
    pino.debug('no');
    log.levels.set('debug', 'db');
    pino.debug({ password: 'hunter2' }, 'yes');
    expect(logged.only()).toMatchObject({ message: 'yes', service: 'db', password: '[Redacted]' });
  });

  it('never throws, with any arguments', () => {
    const { log, logged } = collected();
    const throws = (): never => {
      throw new Error('no');
    };
    const child = log.pino.child({}, { serializers: { a: throws }, formatters: { log: throws } });
    child.info(
      {
        a: 1,
        get b() {
          return throws();
        },
      },
      'x',
    );
    expect(logged.only()).toMatchObject({ a: '[Unreadable: no]', b: '[Unreadable: no]' });
  });

  it('has levels of its own on their next lower one', () => {
    const { log, logged } = collected();
    log.pino.child({}, { customLevels: { notice: 35 } }).notice('x');
    expect(logged.only().level).toBe('info');
  });

  it('says nothing when the logger is closed', async () => {
    const { log, logged } = collected();
    const { pino } = log;
    await log.close();
    pino.fatal('x');
    expect(logged.count).toBe(0);
  });

  it('flushes the sinks of the logger', async () => {
    const flush = jestFlush();
    const log = createLogger({ sinks: [flush.sink] });
    await new Promise<void>((resolve) => log.pino.flush(() => resolve()));
    log.pino.fatal('x');
    expect(flush.calls).toEqual(['flush', 'flushSync']);
  });
});

function jestFlush() {
  const calls: string[] = [];
  const sink = {
    kind: 'flushed',
    format: 'json' as const,
    open: () => ({
      write() {},
      flush: async () => void calls.push('flush'),
      flushSync: () => void calls.push('flushSync'),
    }),
  };
  return { calls, sink };
}
