import { describe, expect, it } from '@jest/globals';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import { LazyExporter } from './lazy-exporter.js';

function recording() {
  const exported: number[] = [];
  const ended: string[] = [];
  const exporter: LogRecordExporter = {
    export(records, done) {
      exported.push(records.length);
      done({ code: 0 });
    },
    forceFlush: async () => void ended.push('flush'),
    shutdown: async () => void ended.push('shutdown'),
  };
  return { exporter, exported, ended };
}

const codeOf = (exporter: LogRecordExporter): Promise<unknown> =>
  new Promise((resolve) => exporter.export([], ({ code, error }) => resolve(error ?? code)));

describe('an exporter that is being loaded', () => {
  it('exports what came meanwhile, and then at once', async () => {
    const { exporter, exported, ended } = recording();
    const lazy = new LazyExporter(async () => exporter);
    expect(await codeOf(lazy)).toBe(0);
    let code: number | undefined;
    lazy.export([], (result) => (code = result.code));
    expect([code, exported]).toEqual([0, [0, 0]]);
    await lazy.forceFlush();
    await lazy.shutdown();
    expect(ended).toEqual(['flush', 'shutdown']);
  });

  it('fails every batch when it cannot be loaded, and can still be ended', async () => {
    const missing = new Error('Cannot find package');
    const lazy = new LazyExporter(() => Promise.reject(missing));
    expect(await codeOf(lazy)).toBe(missing);
    expect(await codeOf(lazy)).toBe(missing);
    await lazy.forceFlush();
    await lazy.shutdown();
  });

  it('fails the batch on which the exporter throws', async () => {
    const error = new Error('thrown');
    const { exporter } = recording();
    const lazy = new LazyExporter(async () => ({
      ...exporter,
      export() {
        throw error;
      },
    }));
    expect(await codeOf(lazy)).toBe(error);
  });
});
