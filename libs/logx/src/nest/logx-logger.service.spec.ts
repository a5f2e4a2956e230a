import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConsoleLogger, Logger as NestLogger } from '@nestjs/common';
import { runWithLogger } from '../context/logger-context.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import { LogxLoggerService } from './logx-logger.service.js';

let logged: CollectingSink;
let root: Logger;
let service: LogxLoggerService;

beforeEach(() => {
  logged = collectingSink();
  root = createLogger({ sinks: [logged], level: 'verbose' });
  service = new LogxLoggerService(root);
});

const STACK = 'Error: boom\n    at somewhere (file.ts:1:1)';

type Case = [string, (log: LogxLoggerService) => void, object];

describe("Nest's arguments", () => {
  it.each<Case>([
    ['a text', (log) => log.log('hello'), { level: 'info', message: 'hello' }],
    ['a context', (log) => log.log('hello', 'Ctx'), { message: 'hello', logger: 'Ctx' }],
    [
      'braces without arguments, which are no template',
      (log) => log.log('Mapped {/orders, GET} route', 'Ctx'),
      { message: 'Mapped {/orders, GET} route', logger: 'Ctx' },
    ],
    [
      'a template with arguments and a context',
      (log) => log.log('Sold {Count} of {What}', 3, 'tea', 'Ctx'),
      { message: 'Sold 3 of tea', '@mt': 'Sold {Count} of {What}', Count: 3, logger: 'Ctx' },
    ],
    [
      'an object',
      (log) => log.log({ message: 'sold', count: 3 }, 'Ctx'),
      { message: 'sold', count: 3, logger: 'Ctx' },
    ],
    ['an object without a message', (log) => log.log({ count: 3 }), { message: '', count: 3 }],
    ['a number', (log) => log.log(3, 'Ctx'), { message: '3', logger: 'Ctx' }],
    ['warn', (log) => log.warn('careful', 'Ctx'), { level: 'warn', logger: 'Ctx' }],
    ['debug', (log) => log.debug('x'), { level: 'debug' }],
    ['verbose', (log) => log.verbose('x'), { level: 'trace' }],
    ['error with a text', (log) => log.error('failed'), { level: 'error', message: 'failed' }],
    [
      'error with a context',
      (log) => log.error('failed', undefined, 'Ctx'),
      { message: 'failed', logger: 'Ctx', stack: undefined },
    ],
    [
      'error with a stack',
      (log) => log.error('failed', STACK),
      { message: 'failed', stack: STACK, logger: undefined },
    ],
    [
      'error with a stack and a context',
      (log) => log.error('failed', STACK, 'Ctx'),
      { message: 'failed', stack: STACK, logger: 'Ctx' },
    ],
    [
      'error with an error',
      (log) => log.error(new Error('boom'), 'Ctx'),
      { message: 'boom', error: 'boom', stack: expect.stringContaining('boom'), logger: 'Ctx' },
    ],
    [
      'error with a text and an error',
      (log) => log.error('failed', new Error('boom', { cause: new Error('why') }), 'Ctx'),
      { message: 'failed', error: 'boom: why', logger: 'Ctx' },
    ],
    [
      'error with a template, its value and an error',
      (log) => log.error('order {Id} failed', 'o-17', new Error('boom')),
      { message: 'order o-17 failed', Id: 'o-17', error: 'boom', extra_0: undefined },
    ],
    [
      'error with a template, its value, an error and a context',
      (log) => log.error('order {Id} failed', 'o-17', new Error('boom'), 'Ctx'),
      { message: 'order o-17 failed', error: 'boom', logger: 'Ctx', extra_0: undefined },
    ],
    [
      'error with a template, its value, a stack and a context',
      (log) => log.error('order {Id} failed', 'o-17', STACK, 'Ctx'),
      { message: 'order o-17 failed', error: 'Error: boom', stack: STACK, logger: 'Ctx' },
    ],
    [
      'a template whose hole takes the error, which is that of the event too',
      (log) => log.warn('order {Id} waits: {Reason}', 'o-17', new Error('boom'), 'Ctx'),
      {
        '@mt': 'order {Id} waits: {Reason}',
        Id: 'o-17',
        Reason: expect.objectContaining({ message: 'boom' }),
        error: 'boom',
      },
    ],
    [
      'a template, its value, an error and fields',
      (log) => log.log('order {Id} waits', 'o-17', new Error('boom'), { tenant: 'acme' }, 'Ctx'),
      { message: 'order o-17 waits', tenant: 'acme', error: 'boom', extra_0: undefined },
    ],
    [
      'two objects without a hole, of which the last one has fields',
      (log) => log.error('order {Id} waits', 'o-17', { a: 1 }, { b: 2 }, 'Ctx'),
      { message: 'order o-17 waits', extra_0: { a: 1 }, a: undefined, b: 2, logger: 'Ctx' },
    ],
    [
      'braces beside an error alone, which are no template',
      (log) => log.error('no {{token}', new Error('boom'), 'Ctx'),
      { message: 'no {{token}', error: 'boom' },
    ],
    [
      'error with an error, a template and its value',
      (log) => log.error(new Error('boom'), 'order {Id} failed', 'o-17', 'Ctx'),
      { message: 'order o-17 failed', Id: 'o-17', error: 'boom', logger: 'Ctx' },
    ],
    [
      "pino's fields and text",
      (log) => log.error({ err: new Error('boom'), tenant: 'acme' }, 'failed', 'Ctx'),
      { message: 'failed', tenant: 'acme', error: 'boom', err: undefined, logger: 'Ctx' },
    ],
    [
      'an object with a message and an error',
      (log) => log.error({ message: 'failed', err: new Error('boom'), tenant: 'acme' }, 'Ctx'),
      { message: 'failed', tenant: 'acme', error: 'boom', err: undefined, message_: undefined },
    ],
    ['fatal, which does not exit', (log) => log.fatal('over', 'Ctx'), { level: 'fatal' }],
  ])('%s', (_what, log, expected) => {
    log(service);
    const event = logged.only();
    for (const [name, value] of Object.entries(expected)) {
      expect([name, event[name]]).toEqual([name, value]);
    }
  });
});

describe("Nest's logger over it", () => {
  it('passes its context and stack along', () => {
    NestLogger.overrideLogger(service);
    const nest = new NestLogger('Orders');
    nest.log('one');
    nest.log('{Count} more', 2);
    nest.error('failed', STACK);
    NestLogger.overrideLogger(new ConsoleLogger());
    expect([...logged].map(({ message, logger, stack }) => [message, logger, stack])).toEqual([
      ['one', 'Orders', undefined],
      ['2 more', 'Orders', undefined],
      ['failed', 'Orders', STACK],
    ]);
  });

  it.each(['verbose', 'debug', 'log', 'warn', 'error', 'fatal'] as const)(
    'names the place in the app that called %s',
    (method) => {
      const log = new LogxLoggerService(
        createLogger({ sinks: [logged], level: 'verbose', caller: true }),
      );
      NestLogger.overrideLogger(log);
      new NestLogger('Orders')[method]('by an instance');
      NestLogger[method]('by the class');
      NestLogger.overrideLogger(new ConsoleLogger());
      log[method]('by the service');
      expect([...logged].map(({ caller }) => caller)).toEqual(
        Array(3).fill(expect.stringMatching(/logx-logger\.service\.spec\.ts:\d+$/)),
      );
    },
  );

  it('has the fields of the work that it is called in', () => {
    runWithLogger(root.forContext('RequestId', 'r-1'), () => service.log('inside', 'Ctx'));
    service.log('outside', 'Ctx');
    expect([...logged].map(({ RequestId }) => RequestId)).toEqual(['r-1', undefined]);
  });

  it('takes the lowest of the levels that it is given', () => {
    service.setLogLevels(['error', 'warn']);
    service.log('no');
    service.warn('yes');
    expect(logged.messages).toEqual(['yes']);
  });

  it('makes the logger of a context once, however often it logs', () => {
    const made = jest.spyOn(root, 'forContext');
    for (const context of ['Orders', 'Refunds', 'Orders', 'Refunds']) service.log('x', context);
    expect(made.mock.calls).toEqual([
      ['logger', 'Orders'],
      ['logger', 'Refunds'],
    ]);
  });

  it('may be given any number of contexts', () => {
    for (let i = 0; i < 2_500; i++) service.log('x', `ctx-${i}`);
    expect(logged.last()).toMatchObject({ logger: 'ctx-2499' });
  });
});
