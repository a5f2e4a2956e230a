import { setTimeout as later } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import { defaultLogger, setDefaultLogger } from './default-logger.js';
import * as log from './log-functions.js';
import { addContextField, ctx, fromContext, runWithLogger } from './logger-context.js';
import { newId } from './new-id.js';

let logged: CollectingSink;
let root: Logger;

beforeEach(() => {
  logged = collectingSink();
  root = createLogger({ sinks: [logged], level: 'verbose', caller: true });
  setDefaultLogger(root);
});

describe('the context', () => {
  it('gives the default logger where none was stored', () => {
    expect(fromContext()).toBe(defaultLogger());
  });

  it('gives the stored logger, also to what is waited for, and only there', async () => {
    const each = async (id: number): Promise<void> => {
      await later(5 - id);
      fromContext().info('{Id}', id);
    };
    await Promise.all(
      [1, 2, 3].map((id) => runWithLogger(root.forContext('RequestId', id), () => each(id))),
    );
    expect([...logged].map((event) => event['Id'] === event['RequestId'])).toEqual([
      true,
      true,
      true,
    ]);
    expect(fromContext()).toBe(root);
  });

  it('returns what the work returns', () => {
    expect(runWithLogger(root, () => 7)).toBe(7);
  });
});

describe('extractors', () => {
  const remove: (() => void)[] = [];
  afterEach(() => remove.splice(0).forEach((each) => each()));

  it('add fields to ctx, the later one winning', () => {
    remove.push(
      addContextField(() => [
        { name: 'A', value: 1 },
        { name: 'B', value: 1 },
      ]),
    );
    remove.push(addContextField(() => [{ name: 'B', value: 2 }]));
    ctx().info('x');
    fromContext().info('y');
    expect(logged.first()).toMatchObject({ A: 1, B: 2 });
    expect(logged.last()).not.toHaveProperty('A');
  });

  it('add to the stored logger', () => {
    remove.push(addContextField(() => [{ name: 'A', value: 1 }]));
    runWithLogger(root.forContext('RequestId', 'r'), () => log.infoCtx('x'));
    expect(logged.only()).toMatchObject({ A: 1, RequestId: 'r' });
  });

  it('add nothing when they throw', () => {
    remove.push(
      addContextField(() => {
        throw new Error('no');
      }),
    );
    ctx().info('x');
    expect(logged.messages).toEqual(['x']);
  });

  it('can be taken away', () => {
    addContextField(() => [{ name: 'A', value: 1 }])();
    expect(ctx()).toBe(root);
  });
});

describe('the package-level functions', () => {
  it.each([
    ['verbose', 'trace', log.verbose, log.verboseCtx],
    ['debug', 'debug', log.debug, log.debugCtx],
    ['information', 'info', log.information, log.informationCtx],
    ['info', 'info', log.info, log.infoCtx],
    ['warning', 'warn', log.warning, log.warningCtx],
  ])(
    '%s logs as %s, with the default logger or that of the context',
    (_, level, plain, inContext) => {
      plain('Hello {Name}', 'Ada');
      runWithLogger(root.forContext('RequestId', 'r'), () => inContext('Hello {Name}', 'Bo'));
      expect([...logged]).toMatchObject([
        { level, message: 'Hello Ada', caller: expect.stringContaining('context.spec.ts:') },
        {
          level,
          message: 'Hello Bo',
          RequestId: 'r',
          caller: expect.stringContaining('context.spec'),
        },
      ]);
    },
  );

  it('log errors', () => {
    log.error(new Error('full'), 'Saving {Id} failed', 1);
    runWithLogger(root.forContext('RequestId', 'r'), () => log.errorCtx(new Error('full'), 'x'));
    expect([...logged]).toMatchObject([
      { level: 'error', error: 'full', Id: 1, caller: expect.stringContaining('context.spec.ts:') },
      { level: 'error', error: 'full', RequestId: 'r' },
    ]);
  });

  it('say nothing below the level', () => {
    root.levels.set('error');
    log.info('x');
    log.infoCtx('x');
    expect(logged.count).toBe(0);
  });

  it('make children of the default logger', () => {
    log.forContext('A', 1).info('x');
    expect(logged.only()['A']).toBe(1);
  });
});

describe('newId', () => {
  it('is 128 random bits in hexadecimal', () => {
    const ids = Array.from({ length: 1_000 }, newId);
    expect(ids.every((id) => /^[\da-f]{32}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(1_000);
  });
});
