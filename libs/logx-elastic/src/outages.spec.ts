import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { type Clock, deadlineAfter, systemClock } from '@apix/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ElasticConfig } from './config/elastic-config.js';
import { LOGGED, NOTHING, type Outage, OUTAGES, refusing, SETTINGS } from './outages.fixture.js';
import { type ElasticStats, elasticSink } from './sink/elastic-sink.js';
import { StubElasticsearch } from './stub-elasticsearch.fixture.js';

describe('every event is accounted for', () => {
  let folder: string;
  let stub: StubElasticsearch;
  let errors: string[];
  /** Timeouts of requests under way; they are up when a request has come to a black hole. */
  const timeouts = new Set<() => void>();
  const clock: Clock = {
    now: () => systemClock.now(),
    after(ms, fn) {
      if (ms !== SETTINGS.timeout) return systemClock.after(ms, fn);
      timeouts.add(fn);
      return () => timeouts.delete(fn);
    },
  };

  beforeEach(async () => {
    folder = fs.mkdtempSync(join(os.tmpdir(), 'elastic-'));
    stub = await StubElasticsearch.start();
    errors = [];
  });
  afterEach(async () => {
    await stub.stop();
    fs.rmSync(folder, { recursive: true });
  });

  const sinkOf = (config: Partial<ElasticConfig>) =>
    elasticSink({
      addresses: [stub.address],
      ...SETTINGS,
      clock,
      onError: ({ message }) => errors.push(message),
      ...config,
    });
  const sumOf = (figures: object): number =>
    Object.values(figures).reduce((all: number, one: number) => all + one, 0);
  const sum = ({ sent, failed, dropped, queued, spooled }: ElasticStats): number =>
    sent + failed + dropped + queued + spooled;

  const run = async ({ behave, config }: Outage, more: Partial<ElasticConfig> = {}) => {
    stub.behave = (request, number) => {
      const behaviour = behave!(request, number);
      if (behaviour.kind === 'black hole') for (const end of timeouts) setImmediate(end);
      return behaviour;
    };
    const sink = sinkOf({ ...config, ...more });
    const sums: number[] = [];
    if (behave === undefined) await stub.stop();
    for (let n = 0; n < LOGGED; n++) {
      sink.write(`{"n":${n}}\n`);
      sums.push(sum(sink.stats()));
    }
    await sink.close();
    expect(sums).toEqual(Array.from({ length: LOGGED }, (_, n) => n + 1));
    const { logged, recovered, oldestAgeMs, dropReasons, retried, ...counts } = sink.stats();
    expect(sumOf(dropReasons)).toBe(counts.dropped);
    expect(retried).toBeLessThanOrEqual(LOGGED);
    expect({ logged, recovered, isEmpty: oldestAgeMs === 0 || counts.spooled > 0 }).toEqual({
      logged: LOGGED,
      recovered: 0,
      isEmpty: true,
    });
    return counts;
  };

  it.each(OUTAGES)('in memory: $what', async (outage) => {
    expect(await run(outage)).toEqual({ ...NOTHING, ...outage.memory });
    expect(stub.requests).toHaveLength(outage.requests);
    expect(stub.taken).toHaveLength(outage.memory.sent ?? 0);
    const { failed = 0, dropped = 0 } = outage.memory;
    expect(errors.length > 0).toBe(failed + dropped > 0);
  });

  it.each(OUTAGES)('with a spool, and sent in order later: $what', async (outage) => {
    const spool = { path: folder };
    expect(await run(outage, { spool })).toEqual({ ...NOTHING, ...outage.spool });

    const { sent = 0, spooled = 0 } = outage.spool;
    const before = stub.taken.length;
    expect(before).toBe(sent);
    stub.behave = () => ({ kind: 'take' });
    if (outage.behave === undefined) await stub.listen(stub.lastPort);
    const next = sinkOf({ spool });
    await next.close();
    expect(next.stats()).toMatchObject({
      ...NOTHING,
      logged: 0,
      recovered: spooled,
      sent: spooled,
      oldestAgeMs: 0,
    });
    const later = stub.taken.slice(before).map(({ n }) => Number(n));
    expect(later).toEqual(later.toSorted((a, b) => a - b));
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('while a node is slow, events wait, and are dropped when the queue is full', async () => {
    let release = (): void => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    stub.behave = () => ({ kind: 'slow', until });
    const sink = sinkOf({ queueSize: 8 });
    for (let n = 0; n < LOGGED; n++) sink.write(`{"n":${n}}\n`);
    await stub.gotRequests(1);
    expect(sink.stats()).toMatchObject({ ...NOTHING, queued: 8, dropped: 2 });
    release();
    await expect(sink.close()).resolves.toBeUndefined();
    expect(sink.stats()).toMatchObject({ ...NOTHING, sent: 8, dropped: 2 });
    expect(errors).toEqual(['logx-elastic: logs: dropped 2 events (2 in total)']);
  });

  it.each([
    ['drops', undefined, { dropped: 10 }],
    ['spools', 'a spool', { spooled: 10 }],
  ] as const)('at the deadline of close it %s what nobody has taken', async (_, spool, counts) => {
    stub.behave = () => ({ kind: 'black hole' });
    const sink = sinkOf({ timeout: '10s', ...(spool && { spool: { path: folder } }) });
    for (let n = 0; n < LOGGED; n++) sink.write(`{"n":${n}}\n`);
    const deadline = deadlineAfter(20);
    const end = await sink.close(deadline).then(
      () => 'resolved',
      (error: Error) => error.message,
    );
    expect(end).toBe(
      spool ? 'resolved' : 'logx-elastic: logs: 10 events could not be sent in time',
    );
    expect(sink.stats()).toMatchObject({ ...NOTHING, ...counts });
    sink.write('{"n":10}\n');
    expect(sink.stats().dropReasons.closed).toBe(1);
    expect(sink.dropped).toBe((sink.stats().logged === 11 ? 1 : 0) + (spool ? 0 : 10));
  });

  it('goes on where a cluster that is back takes events again, without a restart', async () => {
    stub.behave = () => refusing(503);
    let onError: (error: Error) => void = () => {};
    const told = new Promise<Error>((resolve) => (onError = resolve));
    const sink = sinkOf({
      spool: { path: folder },
      queueSize: 4,
      onError: (error) => {
        errors.push(error.message);
        onError(error);
      },
    });
    for (let n = 0; n < LOGGED; n++) sink.write(`{"n":${n}}\n`);
    await told;
    expect(sink.stats().sent).toBe(0);
    expect(errors).toEqual([expect.stringMatching(/events wait on disk: .*HTTP 503/)]);
    expect(() => sink.check()).toThrow(/HTTP 503.*events queued, \d+ spooled$/);
    stub.behave = () => ({ kind: 'take' });
    await stub.gotRequests(stub.requests.length + 2);
    await sink.close();
    expect(sink.stats()).toMatchObject({ ...NOTHING, sent: 10 });
    expect(stub.taken.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(() => sink.check()).not.toThrow();
  });

  it('holds what waits while the credentials are refused, asking rarely, and goes on by itself', async () => {
    let askAgain = (): void => {};
    const rare: Clock = {
      now: () => clock.now(),
      after(ms, fn) {
        if (ms !== 30_000) return clock.after(ms, fn);
        askAgain = fn;
        return () => {};
      },
    };
    stub.behave = () => refusing(401);
    let onError: (error: Error) => void = () => {};
    const told = new Promise<Error>((resolve) => (onError = resolve));
    const sink = sinkOf({ spool: { path: folder }, clock: rare, maxRetries: 3, onError });
    for (let n = 0; n < LOGGED; n++) sink.write(`{"n":${n}}\n`);
    await sink.flush();
    expect((await told).message).toBe(
      'logx-elastic: logs: events wait on disk: HTTP 401, security_exception: missing authentication credentials',
    );
    expect(sink.stats()).toMatchObject({ sent: 0, failed: 0 });
    expect(stub.requests).toHaveLength(1);
    expect(() => sink.check()).toThrow('HTTP 401');
    stub.behave = () => ({ kind: 'take' });
    askAgain();
    await stub.gotRequests(4);
    await sink.close();
    expect(sink.stats()).toMatchObject({ ...NOTHING, sent: 10 });
    expect(stub.taken.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(() => sink.check()).not.toThrow();
  });

  it('asks a cluster that was down once more before it closes', async () => {
    stub.behave = () => refusing(503);
    let onError: (error: Error) => void = () => {};
    const told = new Promise<Error>((resolve) => (onError = resolve));
    const sink = sinkOf({ spool: { path: folder }, retryDelay: '1h', maxRetries: 0, onError });
    for (let n = 0; n < LOGGED; n++) sink.write(`{"n":${n}}\n`);
    await told;
    stub.behave = () => ({ kind: 'take' });
    await sink.close();
    expect(sink.stats()).toMatchObject({ ...NOTHING, sent: 10 });
  });

  it('drops nothing while a batch from disk fills the queue', async () => {
    let release = (): void => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    stub.behave = () => ({ kind: 'slow', until });
    const spool = { path: folder };
    const sink = sinkOf({ spool, queueSize: 4 });
    for (let n = 0; n < 8; n++) sink.write(`{"n":${n}}\n`);
    await stub.gotRequests(1);
    for (let n = 8; n < 20; n++) sink.write(`{"n":${n}}\n`);
    expect(sink.stats()).toMatchObject({ dropped: 0, queued: 4, spooled: 16 });
    release();
    await sink.close();
    expect(sink.stats()).toMatchObject({ ...NOTHING, sent: 20 });
  });

  it('drops what the spool has no room for either', async () => {
    stub.behave = () => refusing(503);
    const sink = sinkOf({
      spool: { path: folder, maxBytes: 2 ** 20 },
      batchSize: 1,
      queueSize: 3,
    });
    const text = 'x'.repeat(100_000);
    for (let n = 0; n < 20; n++) sink.write(`{"n":${n},"text":"${text}"}\n`);
    await expect(sink.close()).rejects.toThrow('3 events could not be sent in time');
    const { dropped, spooled, queued } = sink.stats();
    expect({ dropped, spooled, queued }).toEqual({ dropped: 10, spooled: 10, queued: 0 });
  });
});
