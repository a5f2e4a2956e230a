import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { setDefaultLogger } from '../context/default-logger.js';
import * as functions from '../context/log-functions.js';
import { runWithLogger } from '../context/logger-context.js';
import { createLogger } from '../logger/create-logger.js';
import type { LevelMethod } from '../logger/logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { AppLog } from './app-log.js';
import { ContextLogger } from './context-logger.js';
import { LogxLoggerService } from './logx-logger.service.js';

type Call = (...args: unknown[]) => unknown;

/** Thrown where the process would exit. */
const EXITED = new Error('exited');

const logged = collectingSink();
const root = createLogger({ level: 'verbose', sinks: [logged] });
const injected = new ContextLogger(root, 'orders');
const service = new LogxLoggerService(root);

/** A call by any name of a method: the types allow only what is meant. */
function by<K extends string>(logger: Readonly<Record<K, unknown>>, method: K): Call {
  return (...args) => {
    try {
      Reflect.apply(logger[method] as Call, logger, args);
    } catch (thrown) {
      if (thrown !== EXITED) throw thrown;
    }
  };
}

const METHODS: readonly LevelMethod[] = [
  'verbose',
  'debug',
  'information',
  'info',
  'log',
  'warning',
  'warn',
  'error',
  'fatal',
];
const NEST = ['verbose', 'debug', 'log', 'warn', 'error', 'fatal'] as const;
const PLAIN = ['verbose', 'debug', 'information', 'info', 'warning', 'warn', 'error'] as const;
const IN_CONTEXT = ['verboseCtx', 'debugCtx', 'infoCtx', 'warnCtx', 'errorCtx'] as const;
const OF_HOST = ['information', 'warning', 'error'] as const;

const WAYS: readonly (readonly [string, Call])[] = [
  ...METHODS.map((method) => [`logger.${method}`, by(root, method)] as const),
  ...METHODS.map((method) => [`injected ${method}`, by(injected, method)] as const),
  ...PLAIN.map((name) => [`function ${name}`, by(functions, name)] as const),
  ...IN_CONTEXT.map(
    (name) =>
      [
        `function ${name}`,
        (...args: unknown[]) => runWithLogger(root, () => by(functions, name)(...args)),
      ] as const,
  ),
  ...OF_HOST.map(
    (name) => [`the host's ${name}`, by(new AppLog(root).loggerFor('Host'), name)] as const,
  ),
  ...NEST.map(
    (name) =>
      [`Nest's ${name}`, (...args: unknown[]) => by(service, name)(...args, 'Ctx')] as const,
  ),
];

const literal = fc.string({ unit: 'grapheme-ascii', maxLength: 8 });
const value = fc.oneof(
  fc.string({ unit: 'grapheme-ascii' }),
  fc.constantFrom('{Id}', '{{', 'at place (a.ts:1:1)', ''),
  fc.integer(),
  fc.boolean(),
  fc.constant({ a: 1 }),
);
const call = fc.record({
  first: literal,
  holes: fc.array(fc.tuple(value, literal), { minLength: 1, maxLength: 4 }),
  error: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
  fields: fc.option(fc.constant({ tenant: 'acme' }), { nil: undefined }),
  isErrorFirst: fc.boolean(),
  isErrorLast: fc.boolean(),
});

function escaped(text: string): string {
  return text.replaceAll(/[{}]/g, '$&$&');
}

function shown(given: string | number | boolean | object): string {
  return typeof given === 'object' ? JSON.stringify(given) : String(given);
}

describe('a template with as many values as holes', () => {
  beforeAll(() => {
    setDefaultLogger(root);
    jest.spyOn(process, 'exit').mockImplementation(() => {
      throw EXITED;
    });
  });
  afterAll(() => void jest.restoreAllMocks());

  it.each(WAYS)('has its message, error and fields by %s', (_way, log) => {
    fc.assert(
      fc.property(call, ({ first, holes, error, fields, isErrorFirst, isErrorLast }) => {
        const template = holes.reduce(
          (text, [, after], i) => `${text}{Hole${i}}${escaped(after)}`,
          escaped(first),
        );
        const thrown = error === undefined ? [] : [new Error(error)];
        const before = isErrorFirst ? thrown : [];
        const after = [isErrorFirst || isErrorLast ? [] : thrown, fields ?? []].flat();
        const last = isErrorLast && !isErrorFirst ? thrown : [];
        logged.clear();
        log(...before, template, ...holes.map(([given]) => given), ...after, ...last);
        const event = logged.only();
        expect(event.message).toBe(
          holes.reduce((text, [given, after]) => text + shown(given) + after, first),
        );
        expect([event['@mt'], event.error, event['tenant']]).toEqual([
          template,
          error,
          fields?.tenant,
        ]);
        expect(holes.map((_, i) => event[`Hole${i}`])).toEqual(holes.map(([given]) => given));
        expect(Object.keys(event).filter((name) => name.startsWith('extra_'))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
