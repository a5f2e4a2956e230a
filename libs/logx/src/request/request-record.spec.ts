import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { RequestRecord } from './request-record.js';

describe('a request whose own event does not tell of its failure', () => {
  const written = (fail: (record: RequestRecord) => void): number => {
    const sink = collectingSink();
    const record = new RequestRecord(createLogger({ sinks: [sink] }));
    fail(record);
    record.reportPanic();
    record.reportPanic();
    return sink.lines.length;
  };

  it('has an event of its panic, once', () => {
    const events = written(
      (record) => (record.fail(new TypeError('no such thing')).isPanic = true),
    );
    expect(events).toBe(1);
  });

  it.each<[string, (record: RequestRecord) => void]>([
    ['did not fail', () => {}],
    ['failed otherwise', (record) => void record.fail(new Error('not today'))],
    [
      'has told of its panic',
      (record) => Object.assign(record.fail(new Error('no')), { isPanic: true, reported: true }),
    ],
  ])('has none where it %s', (_, fail) => {
    expect(written(fail)).toBe(0);
  });
});
