import { describe, expect, it } from '@jest/globals';
import type { HealthCheckService } from '@nestjs/terminus';
import { terminusRunner } from './health-binding.js';

/** A service of terminus that runs what it is given, in an app that shuts down. */
const closing = {
  async check(indicators: readonly (() => Promise<unknown>)[]) {
    for (const indicator of indicators) await indicator();
    return { status: 'shutting_down' };
  },
} as unknown as HealthCheckService;

describe('an app with terminus that shuts down', () => {
  const db = { name: 'db', run: async () => ({ name: 'db', outcome: null }) };

  it.each([
    [
      'ready',
      [
        { name: 'db', outcome: null },
        { name: 'shutdown', outcome: 'shutting down' },
      ],
    ],
    ['live', [{ name: 'db', outcome: null }]],
  ] as const)('is asked for the probe %s', async (probe, results) => {
    expect(await terminusRunner(() => closing)([db as never], probe)).toEqual(results);
  });
});
