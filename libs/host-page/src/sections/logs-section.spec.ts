import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LogFollower, LogRecord, LogRecordLevel, LogSource } from '@apix/contracts';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import { type LogsSection, logsSection } from './logs-section.js';

const LEVELS: readonly LogRecordLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** A log of which the test writes the events; `reads` is how many of them were read. */
class FakeLog implements LogSource {
  readonly followers = new Set<LogFollower>();
  reads = 0;

  follow(follower: LogFollower): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  write(level: LogRecordLevel, message: string, over: Partial<LogRecord> = {}): void {
    const record = { level, time: 1, logger: null, message, error: null, requestId: null };
    for (const follower of this.followers) {
      if (LEVELS.indexOf(level) < LEVELS.indexOf(follower.minLevel)) continue;
      follower.take(level, () => {
        this.reads += 1;
        return { ...record, traceId: null, fields: {}, ...over };
      });
    }
  }
}

let log: FakeLog;
let clock: FakeClock;
let section: LogsSection;
const messages = (full = true): string[] =>
  section.view(full).records.map(({ message }) => message);

beforeEach(() => {
  log = new FakeLog();
  clock = fakeClock();
  section = logsSection([log], false, clock);
});
afterEach(() => {
  section.stop();
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

  it('is absent without a source', () => {
    const none = logsSection([], false, clock);
    expect([section.isPresent!(), none.isPresent!()]).toEqual([true, false]);
  });
});
