import { describe, expect, it } from '@jest/globals';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import type { HostedJob } from '../job/hosted-job.js';
import type { JobOptions, JobWork, Tick } from '../job/job-options.js';
import type { RunRecord } from '../job/job-status.js';
import { type JobTiming, jobParts } from '../job/make-job.js';
import { replicatedJob } from './replicated-job.js';
import type { OpenTicks, SharedTicks, TickHandlers, Ticks } from './ticks.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Not on a minute. */
const START = Date.parse('2026-01-01T00:00:20Z');

/** What Redis does for replicas: a tick is given once, and none while another is unfinished. */
class SharedRedis implements SharedTicks {
  readonly server = 'Redis';
  readonly unreachable = /ECONNREFUSED/;
  /** When each tick was given, by each of the replicas. */
  readonly given = new Map<number | 'now', number[]>();
  /** Whose time that is. */
  now = (): number => 0;
  readonly #free: TickHandlers[] = [];
  readonly #lost = new Map<TickHandlers, AbortController>();
  #isBusy = false;
  /** Why the replicas cannot reach each other; null when they can. */
  trouble: Error | null = null;

  readonly open: OpenTicks = (_job, handlers): Ticks => {
    this.#free.push(handlers);
    const leave = (): void => {
      const at = this.#free.indexOf(handlers);
      if (at >= 0) this.#free.splice(at, 1);
    };
    return {
      give: async (scheduled) => (await this.#give(scheduled)) !== null,
      giveFirst: async () => void (await this.#give(null)),
      giveNow: async () => (await this.#give(null))?.() ?? null,
      hold: leave,
      take: () => void this.#free.push(handlers),
      close: async () => leave(),
    };
  };

  /** As when the locks of all runs have expired. */
  lose(): void {
    for (const lost of this.#lost.values()) lost.abort(new Error('lost'));
  }

  async #give(at: Date | null): Promise<(() => Promise<RunRecord>) | null> {
    if (this.trouble !== null) throw this.trouble;
    const key = at?.getTime() ?? 'now';
    const before = this.given.get(key) ?? [];
    if (at !== null && before.length > 0) {
      before.push(this.now());
      return () => Promise.reject(new Error('given before'));
    }
    if (this.#isBusy) return null;
    this.given.set(key, [this.now()]);
    const taker = this.#free[0];
    if (taker === undefined) return null;
    this.#isBusy = true;
    const lost = new AbortController();
    this.#lost.set(taker, lost);
    const run = taker.run({ scheduled: at }, lost.signal).finally(() => (this.#isBusy = false));
    return () => run;
  }
}

interface Rig {
  readonly clock: FakeClock;
  readonly shared: SharedRedis;
  readonly jobs: readonly HostedJob[];
  /** Which replica ran when, in milliseconds since the epoch. */
  readonly runs: (readonly [number, number | null])[];
  readonly errors: string[];
  readonly endings: readonly Promise<unknown>[];
  readonly stop: () => Promise<void>;
}

interface RigOptions extends JobOptions {
  readonly timing?: JobTiming;
  readonly work?: JobWork;
  readonly shared?: SharedRedis;
}

/** Two replicas of one job. */
async function rig({ timing, work, shared = new SharedRedis(), ...options }: RigOptions = {}) {
  const clock = fakeClock(START);
  shared.now = () => clock.now();
  const runs: Rig['runs'] = [];
  const errors: string[] = [];
  const jobs = [0, 1].map((replica) => {
    const note = (signal: AbortSignal, tick: Tick): unknown => {
      runs.push([replica, tick.scheduled?.getTime() ?? null]);
      return work?.(signal, tick);
    };
    const errorHandler = (error: unknown): unknown => errors.push(String(error));
    const all = { clock, errorHandler, ...options };
    const parts = jobParts('sweep', timing ?? { interval: '1m' }, note, all);
    return replicatedJob(parts.timing, parts.runs, shared);
  });
  const stopping = new AbortController();
  const endings = jobs.map((job) => job.start(stopping.signal).catch((error: unknown) => error));
  await clock.advance(0);
  const stop = async (): Promise<void> => {
    stopping.abort(new Error('the host stops'));
    await Promise.all(endings);
  };
  const made: Rig = { clock, shared, jobs, runs, errors, endings, stop };
  return made;
}

/** Work that a test ends. */
function held(): { readonly work: JobWork; readonly end: () => void } {
  const ends: (() => void)[] = [];
  return {
    work: () => new Promise<void>((resolve) => ends.push(resolve)),
    end: () => ends.shift()!(),
  };
}

const minute = (count: number): number => Date.parse('2026-01-01T00:00:00Z') + count * MINUTE;

describe('a job of several replicas', () => {
  it.each([
    ['an interval, at its multiples', { interval: '1m' }],
    ['an expression', { schedule: '* * * * *', timeZone: 'UTC' }],
  ])('runs each tick of %s on one of them', async (_, timing) => {
    const { clock, runs, stop } = await rig({ timing });
    await clock.advance(3 * MINUTE);
    expect(runs).toEqual([
      [0, minute(1)],
      [0, minute(2)],
      [0, minute(3)],
    ]);
    await stop();
  });

  it('drops the ticks that come while any of them runs', async () => {
    const { work, end } = held();
    const { clock, jobs, runs, stop } = await rig({ work });
    await clock.advance(3 * MINUTE);
    end();
    await clock.advance(MINUTE);
    expect(runs.map(([, tick]) => tick)).toEqual([minute(1), minute(4)]);
    expect(jobs[1]!.status).toMatchObject({ phase: 'waiting', skipped: 2 });
    end();
    await stop();
  });

  it('goes on when one of them pauses or drains', async () => {
    const { clock, jobs, runs, stop } = await rig();
    jobs[0]!.pause();
    await clock.advance(MINUTE);
    jobs[0]!.resume();
    jobs[1]!.beginDrain();
    await clock.advance(MINUTE);
    expect(runs).toEqual([
      [1, minute(1)],
      [0, minute(2)],
    ]);
    expect(jobs[1]!.status.nextRun).toBeNull();
    await stop();
  });

  it('delays each tick by a jitter on which all of them agree', async () => {
    const { clock, shared, stop } = await rig({ jitter: '30s' });
    await clock.advance(10.5 * MINUTE);
    expect([...shared.given.values()].filter((times) => times.length !== 2)).toEqual([]);
    const delays = [...shared.given].map(([tick, [first, second]]) => {
      expect(first).toBe(second);
      return first! - Number(tick);
    });
    expect(delays).toHaveLength(10);
    expect(new Set(delays).size).toBe(10);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThan(30 * SECOND);
    await stop();
  });

  it('gives no tick that waits for its jitter once it drains', async () => {
    const { clock, jobs, runs, stop } = await rig({ jitter: '30s' });
    await clock.advance(MINUTE - 20 * SECOND);
    for (const job of jobs) job.beginDrain();
    await clock.advance(MINUTE);
    expect(runs).toEqual([]);
    expect(clock.pending).toBe(0);
    await stop();
  });

  it('runs at startup with runImmediately, unless the run of another is under way', async () => {
    const { runs, stop } = await rig({ runImmediately: true });
    expect(runs).toEqual([[0, null]]);
    await stop();
  });

  it('runs now on any of them, unless one runs', async () => {
    const { work, end } = held();
    const { jobs, runs, stop } = await rig({ work });
    const triggered = jobs[1]!.trigger();
    await Promise.resolve();
    expect(await jobs[0]!.trigger()).toBeNull();
    end();
    expect(await triggered).toMatchObject({ outcome: 'ok', scheduled: null });
    expect(runs).toEqual([[0, null]]);
    await stop();
    await expect(jobs[0]!.trigger()).rejects.toThrow('cron: job sweep is not started');
  });

  it('aborts a run that another may have taken over', async () => {
    const work: JobWork = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const { clock, shared, jobs, errors, stop } = await rig({ work });
    await clock.advance(MINUTE);
    shared.lose();
    await clock.advance(0);
    expect(jobs[0]!.status).toMatchObject({ phase: 'waiting', runs: { aborted: 1 } });
    expect(errors).toEqual([]);
    await stop();
  });

  it('aborts the run under way when its replica stops, and waits for it', async () => {
    const work: JobWork = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const { clock, jobs, errors, stop } = await rig({ work });
    await clock.advance(MINUTE);
    expect(jobs[0]!.status.phase).toBe('running');
    await stop();
    expect(jobs[0]!.status).toMatchObject({ phase: 'stopped', runs: { aborted: 1 } });
    expect(errors).toEqual([]);
  });

  it('reports an outage once, runs nothing late, and goes on afterwards', async () => {
    const { clock, shared, jobs, runs, errors, stop } = await rig();
    shared.trouble = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'));
    await clock.advance(3 * MINUTE);
    const reported =
      'CronError: cron: job sweep: Redis is unreachable, and no replica runs the job until ' +
      'it is reachable again: connect ECONNREFUSED 127.0.0.1:6379';
    expect(errors).toEqual([reported, reported]);
    await expect(jobs[0]!.trigger()).rejects.toThrow(reported.replace('CronError: ', ''));
    shared.trouble = null;
    await clock.advance(MINUTE);
    expect(runs).toEqual([[0, minute(4)]]);
    shared.trouble = new AggregateError([new Error('connect ECONNREFUSED ::1:6379')]);
    await clock.advance(MINUTE);
    expect(errors).toHaveLength(4);
    expect(errors[3]).toContain('reachable again: connect ECONNREFUSED ::1:6379');
    await stop();
  });

  it('ends with the failure when it stops on errors, and says so of its schedule', async () => {
    const work = (): Promise<never> => Promise.reject(new Error('no disk'));
    const { clock, endings, jobs } = await rig({ work, stopOnError: true });
    await clock.advance(MINUTE);
    expect(await endings[0]).toEqual(new Error('no disk'));
    expect(jobs[0]!.status.phase).toBe('stopped');
  });

  it('begins nothing when it is started with a signal that has aborted', async () => {
    const shared = new SharedRedis();
    const runs: Tick[] = [];
    const options = { clock: fakeClock(START), runImmediately: true };
    const work: JobWork = (_signal, tick) => void runs.push(tick);
    const { timing, runs: jobRuns } = jobParts('sweep', { interval: '1m' }, work, options);
    const job = replicatedJob(timing, jobRuns, shared);
    await job.start(AbortSignal.abort());
    expect([...shared.given.keys()]).toEqual([]);
    expect(runs).toEqual([]);
    expect(job.status.phase).toBe('stopped');
  });

  it('describes its schedule as any job does', async () => {
    const { jobs, stop } = await rig();
    expect(jobs[0]!.status).toMatchObject({
      schedule: 'every 1m',
      nextRun: new Date(minute(1)),
    });
    expect(jobs[0]!.nextTimes(2)).toEqual([new Date(minute(1)), new Date(minute(2))]);
    await stop();
  });
});
