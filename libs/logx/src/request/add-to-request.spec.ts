import { describe, expect, it } from '@jest/globals';
import { fromContext, runWithLogger, runWork } from '../context/logger-context.js';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { addToRequest } from './assign.js';
import { RequestRecord } from './request-record.js';

describe('addToRequest', () => {
  const root = createLogger({ sinks: [collectingSink()] });

  it('adds to the request under way, also below a logger of its own, the last value winning', () => {
    const record = new RequestRecord(root);
    runWork(record, () => {
      addToRequest({ a: 1, b: 1 });
      runWithLogger(fromContext().forContext('c', 1), () => addToRequest({ b: 2 }));
    });
    expect(record.extra).toEqual({ a: 1, b: 2 });
  });

  it('does nothing outside of requests', () => {
    expect(() => addToRequest({ a: 1 })).not.toThrow();
    expect(() => runWithLogger(root, () => addToRequest({ a: 1 }))).not.toThrow();
  });
});
