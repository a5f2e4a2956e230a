import { describe, expect, it } from '@jest/globals';
import type { Row } from '../../rows.js';
import { jobRows } from './job-rows.js';

const texts = (rows: readonly Row[]): string[][] =>
  rows.map(({ cells }) => cells.map(({ text }) => text));

describe('the table of jobs', () => {
  it('shows when jobs run next and how they ran last', () => {
    const job = {
      schedule: 'every 10m',
      phase: 'waiting',
      next: 70_000,
      lastStart: 5_000,
      lastDurationMs: 12,
      lastOutcome: 'failed',
      lastError: 'boom',
      runs: 2,
      failures: 1,
    } as const;
    const never = {
      ...job,
      next: null,
      lastStart: null,
      lastDurationMs: null,
      lastOutcome: null,
      lastError: null,
      runs: 0,
      failures: 0,
    };
    const rows = jobRows(
      {
        jobs: [
          { ...job, name: 'a' },
          { ...never, name: 'b', phase: 'stopped' },
        ],
        runnable: false,
      },
      10_000,
    );
    expect(texts(rows)).toEqual([
      ['a', 'every 10m', 'waiting', 'in 1m', '5s ago, took 12.0 ms', 'failed: boom', '2', '1'],
      ['b', 'every 10m', 'stopped', '–', 'never', '–', '0', '0'],
    ]);
    expect(rows[0]!.cells[3]!.title).toBe('1970-01-01T00:01:10.000Z');
  });
});
