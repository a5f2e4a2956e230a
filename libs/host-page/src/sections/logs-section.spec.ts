import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import type { TraceRow } from '../section-views.js';
import { FakeLog, traceRow } from './fake-log.fixture.js';
import { LogTail } from './log-tail.js';
import { logsSection } from './logs-section.js';
import type { PageSection } from './section.js';

let log: FakeLog;
let clock: FakeClock;
let tail: LogTail;
let section: PageSection<'logs'>;
let traces: TraceRow[];
const messages = (full = true): string[] =>
  section.view(full).records.map(({ message }) => message);

beforeEach(() => {
  log = new FakeLog();
  clock = fakeClock();
  traces = [];
  tail = new LogTail([log], clock, () => new Set());
  section = logsSection({ tail, sources: [log], changeable: false, traces: () => traces });
});
afterEach(() => {
  tail.stop();
  expect([log.followers.size, clock.pending]).toEqual([0, 0]);
});

describe('the log on the page', () => {
  it('has every event while somebody looks, and warnings and errors of before', () => {
    log.write('info', 'unseen');
    log.write('warn', 'kept');
    const leave = section.watch!();
    expect(log.followers.size).toBe(1);
    log.write('debug', 'seen');
    leave();
    log.write('info', 'unseen again');
    log.write('fatal', 'kept too');
    expect(messages()).toEqual(['kept', 'seen', 'kept too']);
  });

  it('has each event once for those who look, and all for who comes', () => {
    section.watch!();
    log.write('info', 'one');
    expect([messages(), messages(false)]).toEqual([['one'], []]);
    log.write('info', 'two');
    expect([messages(false), messages(true)]).toEqual([['two'], ['one', 'two']]);
  });

  it('does not read a flood, counts it, and still has the errors in it', async () => {
    section.watch!();
    for (let n = 0; n < 10_000; n++) log.write('info', `${n}`);
    log.write('error', 'the one that matters');
    expect(log.reads).toBe(101);
    expect(messages().at(-1)).toBe('the one that matters');
    expect(section.view(true).leftOut).toBe(9_900);
    await clock.advance(1_000);
    log.write('info', 'afterwards');
    expect(messages().at(-1)).toBe('afterwards');
  });

  it('reads few warnings while nobody looks', () => {
    for (let n = 0; n < 10_000; n++) log.write('warn', `${n}`);
    expect(log.reads).toBe(10);
  });

  it('keeps a bounded number of bounded events', async () => {
    section.watch!();
    const long = 'x'.repeat(100_000);
    const over = { error: long, logger: long, requestId: long, fields: { long } };
    for (let n = 0; n < 20; n++) {
      for (let m = 0; m < 100; m++) log.write('info', long, over);
      await clock.advance(1_000);
    }
    const { records, keeps } = section.view(true);
    expect([records.length, keeps]).toEqual([500, 500]);
    expect(JSON.stringify(records[0]).length).toBeLessThan(10_500);
  });

  it('goes on after fields that are not JSON', () => {
    section.watch!();
    log.write('info', 'odd', { fields: { n: 1n } });
    log.write('info', 'even', { fields: { n: 1 } });
    const fields = section.view(true).records.map((record) => record.fields);
    expect(fields).toEqual([expect.stringMatching(/^not readable: /), '{"n":1}']);
  });

  it('says which of its events belong to traces that are kept', () => {
    section.watch!();
    log.write('info', 'of the trace', { traceId: 'a1', time: 100 });
    log.write('info', 'of another with the same id', { traceId: 'a1', time: 100_000 });
    log.write('info', 'of no trace', { time: 100 });
    log.write('info', 'at its end', { traceId: 'a1', time: 300 });
    expect(section.view(true).traces).toEqual([]);
    traces = [traceRow({ id: 'b1', name: 'GET /orders', startedAt: 90, durationMs: 210 })];
    expect(section.view(false)).toMatchObject({
      records: [],
      traces: [{ id: 'b1', name: 'GET /orders', records: [1, 4] }],
    });
  });

  it('is absent without a source', () => {
    const absent = new LogTail([], clock, () => new Set());
    const none = logsSection({ tail: absent, sources: [], changeable: false, traces: () => [] });
    expect([section.isPresent!(), none.isPresent!()]).toEqual([true, false]);
  });
});
