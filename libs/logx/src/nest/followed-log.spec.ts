import { describe, expect, it } from '@jest/globals';
import type { LogRecord, LogRecordLevel } from '@apix/contracts';
import { Level } from '../levels/level.js';
import { createLogger } from '../logger/create-logger.js';
import { workScope } from '../request/logger-scope.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { FollowedLog } from './followed-log.js';

function followed(options: Parameters<typeof createLogger>[0] = {}) {
  const logged = collectingSink();
  const errors: Error[] = [];
  const errorHandler = (error: Error): void => void errors.push(error);
  const log = createLogger({ sinks: [logged], errorHandler, ...options });
  const records: LogRecord[] = [];
  const follow = (minLevel: LogRecordLevel = 'trace'): (() => void) =>
    new FollowedLog(log).follow({ minLevel, take: (_, read) => void records.push(read()) });
  return { log, logged, records, errors, follow };
}

describe('a followed log', () => {
  it('gives events with logger, request and error apart from other fields', () => {
    const { log, records, follow } = followed();
    follow();
    const child = log.named('orders').forContext('RequestId', 'r-1');
    child.error(new Error('card declined'), 'Payment of {OrderId} failed', 'o-17');
    expect(records).toEqual([
      {
        level: 'error',
        time: expect.any(Number),
        logger: 'orders',
        message: 'Payment of o-17 failed',
        error: 'card declined',
        requestId: 'r-1',
        traceId: null,
        fields: { OrderId: 'o-17' },
      },
    ]);
  });

  it('gives no event from before, below its level, below that of the app, or from afterwards', () => {
    const { log, records, follow } = followed();
    log.warning('before');
    const end = follow('warn');
    log.debug('below both');
    log.information('below its own');
    log.warning('taken');
    end();
    log.warning('afterwards');
    expect(records.map(({ message }) => message)).toEqual(['taken']);
  });

  it('redacts what the sinks redact', () => {
    const { log, logged, records, follow } = followed({ redact: ['card'] });
    follow();
    log.information('Paid with {card}', '4111');
    expect([...logged][0]!.message).not.toContain('4111');
    expect(JSON.stringify(records)).not.toContain('4111');
    expect(records[0]!.message).toBe([...logged][0]!.message);
  });

  it('gives the debug events of what failed, once it has', async () => {
    const { log, records, follow } = followed({ bufferOnFailure: true });
    follow();
    const failed = workScope(log).run('task', 'pack', async () => {
      log.debug('Packing');
      await Promise.resolve();
      throw new Error('no box');
    });
    await expect(failed).rejects.toThrow('no box');
    expect(records.find(({ message }) => message === 'Packing')).toMatchObject({
      level: 'debug',
      fields: { buffered: true },
    });
  });

  it('gives the debug events of what failed to who follows warnings, if wanted', async () => {
    const { log } = followed({ bufferOnFailure: true });
    const taken: [string, boolean][] = [];
    const follow = (buffered?: boolean): (() => void) =>
      new FollowedLog(log).follow({
        minLevel: 'warn',
        buffered,
        take: (level, _, isBuffered) => void taken.push([level, isBuffered]),
      });
    const fail = async (): Promise<void> => {
      const failing = workScope(log).run('task', 'pack', async () => {
        log.debug('held back');
        log.information('below the level');
        log.warning('no tape');
        throw new Error('no box');
      });
      await expect(failing).rejects.toThrow('no box');
    };
    const end = follow();
    await fail();
    expect(taken).toEqual([['warn', false]]);
    end();
    follow(true);
    await fail();
    expect(taken.slice(1)).toEqual([
      ['warn', false],
      ['debug', true],
    ]);
  });

  it('goes on if a follower throws, and reports that', () => {
    const { log, logged, errors } = followed();
    new FollowedLog(log).follow({
      minLevel: 'trace',
      take: () => {
        throw new Error('boom');
      },
    });
    log.information('said');
    expect([...logged]).toHaveLength(1);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('a follower of the log failed'),
    ]);
  });

  it('has its levels changed for a while, and says which', () => {
    const { log } = followed({ level: 'information' });
    const source = new FollowedLog(log);
    source.changeLevel('orders', 'debug', 60_000);
    source.changeLevel(null, 'error', 60_000);
    expect(source.changedLevels()).toEqual([
      { logger: 'orders', level: 'debug', until: expect.any(Number) },
      { logger: null, level: 'error', until: expect.any(Number) },
    ]);
    const left = source.changedLevels()[0]!.until - Date.now();
    expect(Math.round(left / 10_000)).toBe(6);
    expect([log.enabled(Level.Warning), log.named('orders').enabled(Level.Debug)]).toEqual([
      false,
      true,
    ]);
    source.changeLevel(null, null, 0);
    source.changeLevel('orders', null, 0);
    expect(source.changedLevels()).toEqual([]);
    expect([log.enabled(Level.Warning), log.named('orders').enabled(Level.Debug)]).toEqual([
      true,
      false,
    ]);
    expect(() => source.changeLevel('a.*', 'debug', 1)).toThrow('must not contain *');
  });
});
