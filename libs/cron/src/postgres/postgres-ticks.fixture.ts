import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll } from '@jest/globals';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import type { RunRecord } from '../job/job-status.js';
import type { OwnedTick } from '../replicas/ticks.js';
import {
  type PostgresOptions,
  type PostgresPool,
  resolvePostgresOptions,
} from './postgres-options.js';
import { PostgresTicks } from './postgres-ticks.js';

export const LEASE_MS = 10_000;

/** A database of a spec, for all of its tests. */
export let db: PGlite;
beforeAll(async () => {
  db = await PGlite.create();
}, 60_000);
afterAll(() => db.close());

interface Begun extends OwnedTick {
  readonly replica: string;
  readonly signal: AbortSignal;
  readonly end: (outcome?: RunRecord['outcome']) => void;
}

let jobs = 0;

/** Replicas of a job, whose timers are a clock's, and whose time is the database's. */
export function rig(options: Partial<PostgresOptions> = {}) {
  const job = `job-${jobs++}`;
  const clock = fakeClock(0);
  const runs: Begun[] = [];
  const troubles: string[] = [];
  const replica = (name: string, pool: PostgresPool = db): PostgresTicks =>
    new PostgresTicks(
      job,
      {
        run: ({ scheduled, fence }, signal) =>
          new Promise((resolve) => {
            const end = (outcome: RunRecord['outcome'] = 'ok'): void =>
              resolve({ scheduled, startedAt: new Date(), durationMs: 0, outcome });
            runs.push({ replica: name, scheduled, fence: fence!, signal, end });
          }),
        onTrouble: (error) => troubles.push((error as Error).message),
      },
      clock,
      resolvePostgresOptions({ pool, ...options }),
    );
  /** Writes into the row of the job. */
  const write = async (values: string): Promise<void> => {
    await db.query(`update apix_cron_jobs set ${values} where job = $1`, [job]);
  };
  const read = async (): Promise<Record<string, unknown>> =>
    (await db.query<Record<string, unknown>>('select * from apix_cron_jobs where job = $1', [job]))
      .rows[0]!;
  /** As when the replica that runs was silent for too long. */
  const expire = (): Promise<void> => write(`leased_until = clock_timestamp() - interval '1 ms'`);
  return { job, clock, runs, troubles, replica, write, read, expire };
}

/** The time `count` seconds after an hour ago: over, for the database. */
export const BASE = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
export const past = (count: number): Date => new Date(BASE + count * 1_000);

/** Passes time until something is so, with answers of the database in between. */
export async function until(
  clock: FakeClock,
  isSo: () => boolean,
  stepMs = LEASE_MS / 10,
): Promise<void> {
  for (let count = 0; !isSo(); count++) {
    if (count === 500) throw new Error('it never was so');
    await clock.advance(stepMs);
    await db.query('select 1');
  }
}

/** Passes when the result of a run is written. */
export async function expectOutcome(
  read: () => Promise<Record<string, unknown>>,
  outcome: string,
): Promise<void> {
  for (let count = 0; count < 1_000; count++) {
    const row = await read();
    if (row['holder'] === null && row['outcome'] === outcome) return;
  }
  throw new Error(`the outcome never was ${outcome}`);
}
