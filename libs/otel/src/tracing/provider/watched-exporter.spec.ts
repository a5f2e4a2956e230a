import { describe, expect, it } from '@jest/globals';
import type { ExportResult } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { WatchedExporter } from './watched-exporter.js';

interface Exported {
  readonly result: ExportResult;
  readonly reports: readonly string[];
}

/** What the SDK is answered for no spans at all. */
async function exported(work: SpanExporter['export'], timeout = 30_000): Promise<Exported> {
  const reports: string[] = [];
  const report = (it: string): void => void reports.push(it);
  const watched = new WatchedExporter({ export: work, shutdown: async () => {} }, report, timeout);
  const result = await new Promise<ExportResult>((resolve) => watched.export([], resolve));
  return { result, reports };
}

describe('an exporter has failed, and nothing else has, where it', () => {
  it.each<[string, SpanExporter['export'], string]>([
    [
      'throws',
      () => {
        throw new Error('refused');
      },
      'refused',
    ],
    ['rejects', () => Promise.reject(new Error('refused')), 'refused'],
    ['answers with nothing', (_, answer) => answer(undefined as never), 'without a result'],
    ['does not answer', () => {}, 'no answer within 5 ms'],
  ])('%s', async (_, work, why) => {
    const { result, reports } = await exported(work, 5);
    expect(result.code).toBe(1);
    expect(reports).toEqual([expect.stringContaining(why)]);
  });

  it('does not where it is async by mistake', async () => {
    const { result, reports } = await exported((async (_: unknown, answer: (it: object) => void) =>
      answer({ code: 0 })) as never);
    expect([result, reports]).toEqual([{ code: 0 }, []]);
  });
});
