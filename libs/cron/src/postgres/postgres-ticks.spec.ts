import { describe, expect, it, jest } from '@jest/globals';
import type { PostgresPool } from './postgres-options.js';
import { LEASE_MS, db, expectOutcome, past, rig, until } from './postgres-ticks.fixture.js';

// `npm run conformance:postgres-ticks` has ten processes share a job over PostgreSQL, and kills them.

describe('ticks on PostgreSQL', () => {
  it('are run by one of ten replicas that begin without a table, with fences that grow', async () => {
    const { runs, replica, read } = rig();
    const replicas = Array.from({ length: 10 }, (_, index) => replica(String(index)));
    for (const tick of [1, 2, 3]) {
      const given = await Promise.all(replicas.map((ticks) => ticks.give(past(tick))));
      expect(given).toEqual(replicas.map(() => true));
      runs[tick - 1]!.end();
      await expectOutcome(read, 'ok');
    }
    expect(runs.map(({ scheduled, fence }) => [scheduled, fence])).toEqual([
      [past(1), 1],
      [past(2), 2],
      [past(3), 3],
    ]);
    await Promise.all(replicas.map((ticks) => ticks.close()));
  });

  it('are dropped while a run is unfinished, for a slow replica too', async () => {
    const { runs, replica, read } = rig();
    const [a, b] = [replica('a'), replica('b')];
    expect(await a.give(past(1))).toBe(true);
    expect(await b.give(past(2))).toBe(false);
    expect(await a.giveNow()).toBeNull();
    runs[0]!.end('failed');
    await expectOutcome(read, 'failed');
    expect(await a.give(past(2))).toBe(true);
    expect(runs).toHaveLength(1);
  });

  it('are run again by another replica when the first is lost, whose result is refused', async () => {
    const { clock, runs, troubles, replica, read, expire } = rig();
    const [a, b] = [replica('a'), replica('b')];
    await a.give(past(1));
    await b.give(past(1));
    await expire();
    await until(clock, () => runs.length === 2);
    expect(runs.map((run) => [run.replica, run.scheduled, run.fence])).toEqual([
      ['a', past(1), 1],
      ['b', past(1), 2],
    ]);
    expect(runs[0]!.signal.aborted).toBe(true);
    runs[0]!.end('failed');
    await until(clock, () => troubles.some((text) => text.includes('is not recorded')));
    expect(await read()).toMatchObject({ outcome: null, reruns: 1 });
    runs[1]!.end();
    await expectOutcome(read, 'ok');
    await Promise.all([a.close(), b.close()]);
  });

  it('are given up after maxReruns, and the next one runs', async () => {
    const { clock, runs, replica, expire } = rig({ maxReruns: 0 });
    const [a, b] = [replica('a'), replica('b')];
    await a.give(past(1));
    await b.give(past(1));
    await expire();
    await clock.advance(10 * LEASE_MS);
    expect(await b.give(past(1))).toBe(true);
    expect(await b.give(past(2))).toBe(true);
    expect(runs.map((run) => [run.replica, run.scheduled])).toEqual([
      ['a', past(1)],
      ['b', past(2)],
    ]);
  });

  it('are run again at once by another replica when the first stops', async () => {
    const { clock, runs, replica } = rig();
    const [a, b] = [replica('a'), replica('b')];
    await a.give(past(1));
    await b.give(past(1));
    runs[0]!.end('aborted');
    await a.close();
    await until(clock, () => runs.length === 2);
    expect(runs[1]).toMatchObject({ replica: 'b', scheduled: past(1) });
  });

  it('keep the run of a replica that renews its lease', async () => {
    const { clock, runs, replica, read } = rig();
    const [a, b] = [replica('a'), replica('b')];
    await a.give(past(1));
    await b.give(past(1));
    const before = (await read())['leased_until'] as Date;
    let renewed = before;
    while (renewed <= before) {
      await clock.advance(LEASE_MS / 3);
      renewed = (await read())['leased_until'] as Date;
    }
    expect(runs).toHaveLength(1);
    expect(runs[0]!.signal.aborted).toBe(false);
  });

  it('have signals that abort when the database does not answer for a lease', async () => {
    const { clock, runs, troubles, replica } = rig();
    let isAway = false;
    const away: PostgresPool = {
      query: (text, values) => (isAway ? new Promise(() => {}) : db.query(text, values)),
    };
    const a = replica('a', away);
    await a.give(past(1));
    isAway = true;
    await until(clock, () => runs[0]!.signal.aborted);
    expect(troubles).toContain('no answer within 5s');
    runs[0]!.end('aborted');
    await a.close();
  });

  it('end when the database never answers', async () => {
    const { clock, replica } = rig();
    const a = replica('a', { query: () => new Promise(() => {}) });
    const given = a.give(past(1)).catch((error: unknown) => error);
    const first = a.giveFirst();
    let isClosed = false;
    const closed = a.close().then(() => (isClosed = true));
    await until(clock, () => isClosed);
    await Promise.all([closed, first]);
    expect(await given).toEqual(new Error('no answer within 5s'));
    expect(clock.pending).toBe(0);
  });

  it('are asked for again when a connection was broken', async () => {
    const { clock, runs, replica } = rig();
    let failures = 2;
    const a = replica('a', {
      query: (text, values) =>
        failures-- > 0
          ? Promise.reject(new Error('Connection terminated unexpectedly'))
          : db.query(text, values),
    });
    const given = a.give(past(1));
    await until(clock, () => runs.length === 1);
    expect(await given).toBe(true);
    failures = Infinity;
    let error: unknown;
    void a.give(past(2)).catch((reason: unknown) => (error = reason));
    await until(clock, () => error !== undefined);
    expect(error).toEqual(new Error('Connection terminated unexpectedly'));
  });

  it('whose claim was answered too late are free for others', async () => {
    const { clock, runs, replica, read } = rig();
    const answers: (() => void)[] = [];
    const a = replica('a', {
      query: async (text, values) => {
        const result = await db.query(text, values);
        if (!text.includes('last_tick')) return result;
        return new Promise((resolve) => answers.push(() => resolve(result)));
      },
    });
    let error: unknown;
    void a.give(past(1)).catch((reason: unknown) => (error = reason));
    await until(clock, () => error !== undefined);
    for (const answer of answers) answer();
    const b = replica('b');
    await until(clock, () => answers.length > 0 && runs.length === 0, 0);
    while (((await read())['leased_until'] as Date) > new Date()) await db.query('select 1');
    expect(await b.give(past(2))).toBe(true);
    expect(runs.map((run) => [run.replica, run.scheduled])).toEqual([['b', past(2)]]);
  });

  it('are not begun by a replica that was paused after its claim, but by another', async () => {
    const { clock, runs, troubles, replica, expire } = rig();
    const real = performance.now.bind(performance);
    let pausedMs = 0;
    const now = jest.spyOn(performance, 'now').mockImplementation(() => real() + pausedMs);
    const a = replica('a', {
      query: async (text, values) => {
        const answer = await db.query(text, values);
        pausedMs = LEASE_MS;
        return answer;
      },
    });
    const b = replica('b');
    try {
      await a.give(past(1));
    } finally {
      now.mockRestore();
    }
    expect(runs).toEqual([]);
    expect(troubles).toEqual([
      expect.stringContaining('another replica may have taken the run over'),
    ]);
    await b.give(past(1));
    await expire();
    await until(clock, () => runs.length === 1);
    expect(runs[0]).toMatchObject({ scheduled: past(1), fence: 2 });
  });

  it('wait for the time of the database', async () => {
    const { clock, runs, replica } = rig();
    const tick = new Date(Date.now() + 300);
    const given = replica('a').give(tick);
    await db.query('select 1');
    expect(runs).toEqual([]);
    while (runs.length === 0) {
      await clock.advance(300);
      await db.query('select 1');
    }
    const { rows } = await db.query<{ now: Date }>('select clock_timestamp() as now');
    expect(rows[0]!.now.getTime()).toBeGreaterThanOrEqual(tick.getTime());
    expect(await given).toBe(true);
  });

  it('are refused to a replica whose clock is wrong', async () => {
    const { job, replica } = rig();
    await expect(replica('a').give(new Date(Date.now() + 3_600_000))).rejects.toThrow(
      new RegExp(`^cron: job ${job}: the clock of this replica is .* ahead of PostgreSQL's`),
    );
  });

  it.each([
    ['last_tick', `last_tick = clock_timestamp() + interval '1 day'`],
    [
      'a lease',
      `leased_from = clock_timestamp() + interval '1 day', leased_until = clock_timestamp() + interval '2 days', holder = gen_random_uuid()`,
    ],
  ])('run with %s of the future, from a clock that was set back', async (_, values) => {
    const { runs, replica, write, read } = rig();
    const a = replica('a');
    await a.give(past(1));
    runs[0]!.end();
    await expectOutcome(read, 'ok');
    await write(values);
    expect(await a.give(past(2))).toBe(true);
    expect(runs).toHaveLength(2);
  });

  it('of two schedules for one job run each', async () => {
    const { runs, replica, read } = rig();
    const [a, b] = [replica('a'), replica('b')];
    for (const [ticks, tick] of [
      [a, 2],
      [b, 3],
      [a, 4],
      [b, 6],
    ] as const) {
      await ticks.give(past(tick));
      runs.at(-1)!.end();
      await expectOutcome(read, 'ok');
    }
    expect(runs).toHaveLength(4);
  });

  it('run now, and at startup as soon as there is a database', async () => {
    const { clock, runs, troubles, replica, read } = rig();
    const record = replica('a').giveNow();
    await until(clock, () => runs.length === 1, 0);
    runs[0]!.end();
    expect(await record).toMatchObject({ outcome: 'ok', scheduled: null });
    await expectOutcome(read, 'ok');
    let isAway = true;
    const b = replica('b', {
      query: (text, values) =>
        isAway ? Promise.reject(new Error('ECONNREFUSED')) : db.query(text, values),
    });
    void b.giveFirst();
    await until(clock, () => troubles.length > 1);
    isAway = false;
    await until(clock, () => runs.length === 2);
    expect(runs[1]).toMatchObject({ replica: 'b', scheduled: null, fence: 2 });
  });
});
