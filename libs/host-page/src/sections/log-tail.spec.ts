import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LogRecord, LogRecordLevel, RecentTrace, TraceSource } from '@apix/contracts';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import type { TraceLogView, TraceView } from '../section-views.js';
import { FakeLog, traceRow } from './fake-log.fixture.js';
import { LogTail } from './log-tail.js';
import { tracesSection } from './traces-section.js';

const LOST: Partial<LogRecord> = { traceId: 'other' };

let log: FakeLog;
let clock: FakeClock;
let kept: RecentTrace[];
let source: TraceSource;
let tail: LogTail;

beforeEach(() => {
  log = new FakeLog();
  clock = fakeClock();
  kept = [];
  source = {
    traces: () => kept,
    trace: (id) => {
      const trace = kept.find((each) => each.id === id);
      return trace && { ...trace, spans: [], leftOut: 0 };
    },
  };
  tail = new LogTail([log], clock, () => new Set(kept.map(({ traceId }) => traceId)));
});

/** A trace that begins now and is kept. */
function begin(over: Partial<RecentTrace> = {}): RecentTrace {
  const trace = traceRow({ startedAt: clock.now(), ...over });
  kept.push(trace);
  return trace;
}

/** Writes an event of a trace, so many milliseconds after it began. */
function write(trace: RecentTrace, after: number, level: LogRecordLevel, message: string): void {
  log.write(level, message, { traceId: trace.traceId, time: trace.startedAt + after });
}

function buffered(trace: RecentTrace, after: number, message: string): void {
  log.write('debug', message, { traceId: trace.traceId, time: trace.startedAt + after }, true);
}

function logOf(trace: RecentTrace): TraceLogView {
  const text = tracesSection([source], tail, () => {}).item!(trace.id, new URLSearchParams());
  return (JSON.parse(text as string) as TraceView).log!;
}

const messagesOf = (trace: RecentTrace): string[] =>
  logOf(trace).records.map(({ message }) => message);

describe('the log of a trace', () => {
  it('has what failed, and what was buffered until then, also if nobody looked', () => {
    const trace = begin();
    write(trace, 10, 'info', 'loaded');
    write(trace, 20, 'warn', 'slow');
    buffered(trace, 15, 'asking');
    write(trace, 30, 'error', 'no stock');
    expect(logOf(trace)).toMatchObject({ gap: 'unwatched' });
    expect(messagesOf(trace)).toEqual(['asking', 'slow', 'no stock']);
  });

  it.each(['logs', 'traces'])('has every event if somebody looked at %s', async (tab) => {
    const leave = tab === 'logs' ? tail.watch() : tracesSection([source], tail, () => {}).watch!();
    const trace = begin();
    await clock.advance(1);
    write(trace, 10, 'info', 'loaded');
    write(trace, 20, 'error', 'no stock');
    expect(logOf(trace)).toMatchObject({ gap: null });
    expect(messagesOf(trace)).toEqual(['loaded', 'no stock']);
    leave();
    expect(logOf(trace).gap).toBe('unwatched');
  });

  it('is read until the last one has left who looks', () => {
    const [first, second] = [tail.watch(), tail.watch()];
    expect(log.followers.size).toBe(1);
    first();
    const trace = begin();
    write(trace, 1, 'info', 'seen');
    expect(logOf(trace).gap).toBeNull();
    second();
    write(trace, 2, 'info', 'unseen');
    expect(messagesOf(trace)).toEqual(['seen']);
    tail.stop();
    expect(log.followers.size).toBe(0);
  });

  it('is not that of another request with the same trace id', () => {
    const trace = begin({ durationMs: 100 });
    write(trace, -20, 'warn', 'before');
    write(trace, 0, 'warn', 'begins');
    write(trace, 1_000, 'warn', 'ends');
    write(trace, 1_200, 'warn', 'after');
    expect(messagesOf(trace)).toEqual(['begins', 'ends']);
  });

  it('says that events were too many to read', () => {
    const trace = begin();
    for (let n = 0; n < 300; n++) buffered(trace, n / 10, `${n}`);
    expect(messagesOf(trace)).toHaveLength(200);
    expect([logOf(trace).gap, log.reads, tail.leftOut]).toEqual(['flood', 200, 100]);
  });

  it('stays while its trace is kept, whatever else fails', async () => {
    const trace = begin();
    buffered(trace, 1, 'asking');
    write(trace, 2, 'error', 'no stock');
    for (let second = 0; second < 200; second++) {
      await clock.advance(1_000);
      for (let n = 0; n < 10; n++) log.write('error', `${n}`, { ...LOST, time: clock.now() });
    }
    expect(messagesOf(trace)).toEqual(['asking', 'no stock']);
    expect(tail.all().length).toBeLessThanOrEqual(1_500);
    kept = [];
    for (let second = 0; second < 200; second++) {
      await clock.advance(1_000);
      for (let n = 0; n < 10; n++) log.write('error', `${n}`, { ...LOST, time: clock.now() });
    }
    kept = [trace];
    expect(messagesOf(trace)).toEqual([]);
  });

  it('is within a bound even if all traces are kept, the last ones stay, and it says so', async () => {
    const [long, first] = ['x'.repeat(10_000), begin()];
    const trace = begin({ id: 'b2', durationMs: 1e9 });
    for (let second = 0; second < 100; second++) {
      const over = { traceId: 'a1', error: long, time: clock.now() };
      for (let n = 0; n < 10; n++) log.write('error', long, { ...over, fields: { long } });
      await clock.advance(1_000);
    }
    const cost = tail.all().reduce((sum, row) => sum + JSON.stringify(row).length, 0);
    expect(cost).toBeLessThan(500 * 7_000 + 1_100_000);
    expect([messagesOf(first), logOf(first).gap]).toEqual([[], 'flood']);
    expect(logOf(trace).records.length).toBeLessThanOrEqual(500);
  });

  it('has no more than its last 500 events, and says so', async () => {
    const trace = begin({ durationMs: 20_000 });
    for (let second = 0; second < 10; second++) {
      for (let n = 0; n < 200; n++) buffered(trace, second * 1_000 + n, `${second} ${n}`);
      await clock.advance(1_000);
    }
    expect(tail.all().length).toBeLessThanOrEqual(1_000);
    const messages = messagesOf(trace);
    expect([messages.length, messages.at(-1), logOf(trace).gap]).toEqual([500, '9 199', 'flood']);
  });

  it('says that later events have replaced it', async () => {
    tail.watch();
    await clock.advance(1);
    const trace = begin();
    write(trace, 1, 'info', 'loaded');
    for (let n = 0; n < 6; n++) {
      await clock.advance(1_000);
      for (let m = 0; m < 90; m++) log.write('info', `${m}`, { time: clock.now() });
    }
    expect(logOf(trace)).toEqual({ records: [], gap: 'replaced' });
    const later = begin({ id: 'b3', traceId: 'a3', startedAt: clock.now() + 1 });
    expect(logOf(later)).toEqual({ records: [], gap: null });
  });

  it('is counted for the list of traces', () => {
    const trace = begin();
    begin({ id: 'b2', traceId: 'a2' });
    write(trace, 1, 'warn', 'slow');
    write(trace, 2, 'error', 'no stock');
    expect(tracesSection([source], tail, () => {}).view(true).logged).toEqual({ b1: 2 });
  });

  it('is null for an app whose log is not followed', () => {
    tail = new LogTail([], clock, () => new Set());
    expect(logOf(begin())).toBeNull();
  });
});
