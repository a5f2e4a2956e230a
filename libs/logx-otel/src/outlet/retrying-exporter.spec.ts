import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import { RetryingExporter } from './retrying-exporter.js';

type Done = Parameters<LogRecordExporter['export']>[1];

/** An exporter that gives the answers one after the other, the last one for ever. */
function answering(...codes: number[]) {
  const clock = fakeClock();
  const at: number[] = [];
  const inner: LogRecordExporter = {
    export(_, done) {
      const code = codes[Math.min(at.length, codes.length - 1)]!;
      at.push(clock.now());
      done(code === 0 ? { code: 0 } : { code: 1, error: Object.assign(new Error('no'), { code }) });
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const results: number[] = [];
  const done: Done = ({ code }) => void results.push(code);
  const retried: number[] = [];
  const onRetry = (records: number): void => void retried.push(records);
  return { clock, at, inner, results, done, retried, onRetry };
}

describe('retries over gRPC', () => {
  it('follow a failure that may pass, later each time', async () => {
    const { clock, at, inner, results, done, retried, onRetry } = answering(14, 14, 4, 0);
    new RetryingExporter(inner, 10_000, onRetry, clock, () => 0.5).export([], done);
    await clock.advance(20_000);
    expect(at).toEqual([0, 1_000, 2_500, 4_750]);
    expect(results).toEqual([0]);
    expect(retried).toEqual([0, 0, 0]);
  });

  it('are up to a fifth sooner or later', async () => {
    const { clock, at, inner, done, onRetry } = answering(14, 0);
    new RetryingExporter(inner, 10_000, onRetry, clock, () => 0).export([], done);
    new RetryingExporter(inner, 10_000, onRetry, clock, () => 1).export([], done);
    await clock.advance(2_000);
    expect(at).toEqual([0, 0, 800]);
  });

  it.each([
    ['that will not pass', 3],
    ['of an exhausted collector that does not say when', 8],
    ['of authentication', 16],
  ])('do not follow a failure %s', async (_, code) => {
    const { clock, at, inner, results, done, onRetry } = answering(code);
    new RetryingExporter(inner, 10_000, onRetry, clock).export([], done);
    await clock.advance(20_000);
    expect(at).toEqual([0]);
    expect(results).toEqual([1]);
  });

  it('end with the timeout, and after six attempts', async () => {
    const short = answering(14);
    new RetryingExporter(short.inner, 3_000, short.onRetry, short.clock, () => 0.5).export(
      [],
      short.done,
    );
    await short.clock.advance(60_000);
    expect(short.at).toEqual([0, 1_000, 2_500]);
    expect(short.results).toEqual([1]);
    const long = answering(14);
    new RetryingExporter(long.inner, 60_000, long.onRetry, long.clock, () => 0.5).export(
      [],
      long.done,
    );
    await long.clock.advance(60_000);
    expect(long.at).toHaveLength(6);
    expect(long.results).toEqual([1]);
  });
});
