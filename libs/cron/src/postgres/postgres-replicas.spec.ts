import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { jobParts } from '../job/make-job.js';
import { postgresTableSql } from './job-table.js';
import type { PostgresOptions, PostgresPool } from './postgres-options.js';
import { postgresReplicas } from './postgres-replicas.js';
import { BASE, db, past, rig, until } from './postgres-ticks.fixture.js';

describe('the table of the jobs', () => {
  it('can have any name in any schema', async () => {
    await db.exec('create schema "my ""schema"');
    const options = { schema: 'my "schema', table: `it's "$1"; --` };
    const { runs, replica } = rig(options);
    await replica('a').give(past(1));
    expect(runs).toHaveLength(1);
    expect(postgresTableSql(options)).toMatch(
      /^create table if not exists "my ""schema"\."it's ""\$1""; --" \(/,
    );
    await db.exec(postgresTableSql(options));
  });

  it('is needed by a user who must not create it, and enough', async () => {
    await db.exec(
      `create schema jobs; create role app; grant usage on schema jobs to app; set role app`,
    );
    const { runs, replica } = rig({ schema: 'jobs' });
    try {
      await expect(replica('a').give(past(1))).rejects.toThrow(
        'cron: replicas: the table "jobs"."apix_cron_jobs" does not exist and cannot be created; ' +
          'run the statement of postgresTableSql() as a user who may create it',
      );
      await db.exec('reset role');
      await db.exec(postgresTableSql({ schema: 'jobs' }));
      await db.exec('grant select, insert, update on jobs.apix_cron_jobs to app; set role app');
      expect(await replica('a').give(past(1))).toBe(true);
      expect(runs).toHaveLength(1);
    } finally {
      await db.exec('reset role');
    }
  });
});

describe('postgresReplicas', () => {
  it.each<[Partial<Record<keyof PostgresOptions, unknown>>, string]>([
    [{ pool: {} }, 'pool: must be a pool, not an object'],
    [{ table: '' }, 'table: must be a name of 1 to 63 bytes, not ""'],
    [{ schema: 'a\0' }, 'schema: must be a name of 1 to 63 bytes, not "a\\u0000"'],
    [{ maxReruns: -1 }, 'maxReruns: must be an integer from 0 to 1000, not -1'],
    [{ rerunAfter: '10ms' }, 'rerunAfter: must be at least 100ms, not "10ms"'],
  ])('refuses %j', (wrong, mistake) => {
    expect(() => postgresReplicas({ pool: db, ...wrong } as PostgresOptions)).toThrow(
      expect.objectContaining({ message: `cron: replicas: ${mistake}`, mistakes: [mistake] }),
    );
  });

  it('runs a job, with the fence in its tick, and says what is wrong with the database', async () => {
    const errors: string[] = [];
    const ticks: unknown[] = [];
    let isAway = false;
    const pool: PostgresPool = {
      query: (text, values) =>
        isAway ? Promise.reject(new Error('Connection terminated')) : db.query(text, values),
    };
    const clock = fakeClock(BASE + 20);
    const { timing, runs } = jobParts('whole', { interval: '1s' }, (_, tick) => ticks.push(tick), {
      clock,
      errorHandler: (error) => errors.push(String(error)),
    });
    const job = postgresReplicas({ pool }).job(timing, runs);
    const stopping = new AbortController();
    const ended = job.start(stopping.signal);
    await until(clock, () => ticks.length === 1, 500);
    expect(ticks).toEqual([{ job: 'whole', scheduled: past(1), fence: 1 }]);
    isAway = true;
    await until(clock, () => errors.length === 1, 500);
    expect(errors[0]).toBe(
      'CronError: cron: job whole: PostgreSQL is unreachable, and no replica runs the job until it is ' +
        'reachable again: Connection terminated',
    );
    stopping.abort();
    let isEnded = false;
    void ended.then(() => (isEnded = true));
    await until(clock, () => isEnded);
    expect(job.status.phase).toBe('stopped');
  });
});
