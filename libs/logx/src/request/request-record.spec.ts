import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { RequestRecord } from './request-record.js';

function recorded() {
  const logged = collectingSink();
  return { logged, record: new RequestRecord(createLogger({ sinks: [logged] })) };
}

describe('a panic that the event of its request leaves out', () => {
  it('has an event of its own, with its stack, once', () => {
    const { logged, record } = recorded();
    record.fail(new Error('out of paper')).isPanic = true;
    record.fail(new Error('comes of it'));
    record.reportPanic();
    record.reportPanic();
    expect(logged.only()).toMatchObject({
      level: 'error',
      message: 'panic recovered: out of paper',
      error: 'out of paper',
      stack: expect.stringContaining('request-record.spec.ts'),
    });
  });

  it('has none if it was already reported, or was thrown on purpose', () => {
    const { logged, record } = recorded();
    record.reportPanic();
    const failure = record.fail(new Error('not found'));
    record.reportPanic();
    Object.assign(failure, { isPanic: true, reported: true });
    record.reportPanic();
    expect(logged.count).toBe(0);
  });
});
