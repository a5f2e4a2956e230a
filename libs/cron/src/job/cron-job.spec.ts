import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { Code, WORK_SCOPE, type WorkScope, isStatusError } from '@apix/contracts';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import { scheduleFunc } from '../schedule/schedule.js';
import type { HostedJob } from './hosted-job.js';
import type { JobOptions, JobWork, Tick } from './job-options.js';
import { type AtOptions, at, every } from './make-job.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Thursday. */
const START = Date.parse('2026-01-01T00:00:00Z');

/** A started job with a clock in the test's hands. */
interface Rig {
  readonly clock: FakeClock;
  readonly job: HostedJob;
  /** When runs began, in milliseconds since the start of the clock. */
  readonly runs: number[];
  readonly ticks: Tick[];
  readonly errors: unknown[];
  /** How the service ended; null while it goes on. */
  readonly ending: () => unknown;
  readonly stop: () => Promise<void>;
}

interface RigOptions extends AtOptions {
  readonly work?: JobWork;
  /** When the clock begins. */
  readonly start?: number;
}

type Make = (work: JobWork, options: JobOptions) => HostedJob;

async function rig(make: Make, { work, start = START, ...options }: RigOptions = {}): Promise<Rig> {
  const clock = fakeClock(start);
  const runs: number[] = [];
  const ticks: Tick[] = [];
  const errors: unknown[] = [];
  const job = make(
    (signal, tick) => {
      runs.push(clock.now() - start);
      ticks.push(tick);
      return work?.(signal, tick);
    },
    { clock, errorHandler: (error) => errors.push(error), ...options },
  );
  const stopping = new AbortController();
  let ending: unknown = null;
  const started = job.start(stopping.signal).then(
    () => (ending = 'stopped'),
    (error: unknown) => (ending = error),
  );
  await clock.advance(0);
  return {
    clock,
    job,
    runs,
    ticks,
    errors,
    ending: () => ending,
    async stop() {
      stopping.abort(new Error('the host stops'));
      await started;
    },
  };
}

const everyMinute: Make = (work, options) => every('sweep', '1m', work, options);
const hourly: Make = (work, options) => at('report', '@hourly', work, options);

/** Work that a test ends. */
function held(): {
  readonly work: JobWork;
  readonly signals: AbortSignal[];
  readonly end: () => void;
} {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  return {
    signals,
    work: (signal) => {
      signals.push(signal);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    end: () => ends.shift()!(),
  };
}

describe('every', () => {
  it('runs on a fixed interval, first after the first one', async () => {
    const { clock, runs, ticks, stop } = await rig(everyMinute);
    await clock.advance(3 * MINUTE + 10);
    expect(runs).toEqual([MINUTE, 2 * MINUTE, 3 * MINUTE]);
    expect(ticks[0]).toEqual({ job: 'sweep', scheduled: new Date(START + MINUTE) });
    await stop();
  });

  it('drops the ticks that come while a run is under way', async () => {
    const { work, end } = held();
    const { clock, job, runs, stop } = await rig(everyMinute, { work });
    await clock.advance(3.5 * MINUTE);
    expect(job.status).toMatchObject({ phase: 'running', skipped: 2 });
    end();
    await clock.advance(0);
    expect(runs).toEqual([MINUTE]);
    await clock.advance(MINUTE);
    expect(runs).toEqual([MINUTE, 4 * MINUTE]);
    end();
    await stop();
  });

  it.each([
    ['forward', 5 * HOUR],
    ['back', -5 * HOUR],
  ])('does not care about a clock that is put %s', async (_, jump) => {
    const { clock, job, stop } = await rig(everyMinute);
    await clock.advance(30 * SECOND);
    clock.jump(jump);
    await clock.advance(2 * MINUTE);
    expect(job.status.runs.ok).toBe(2);
    await stop();
  });

  it('waits for longer than a timer of Node can', async () => {
    const { clock, runs, stop } = await rig((work, options) => every('rare', '40d', work, options));
    await clock.advance(81 * DAY);
    expect(runs).toEqual([40 * DAY, 80 * DAY]);
    await stop();
  });

  it.each([
    ['', '1m', {}, 'cron: a job has no name'],
    ['a', 0, {}, 'cron: job a: interval: must be at least 1 ms'],
    ['a', '1 m', {}, 'cron: job a: interval: '],
    ['a', '1m', { runTimeout: 0 }, 'cron: job a: runTimeout: must be longer than nothing'],
    ['a', '1m', { jitter: 'soon' }, 'cron: job a: jitter: '],
  ])('refuses %j every %j with %j', (name, interval, options, message) => {
    expect(() => every(name, interval, () => {}, options)).toThrow(message);
  });

  it('refuses what is no work', () => {
    expect(() => every('a', '1m', null as unknown as JobWork)).toThrow(
      'cron: job a: its work is no function',
    );
  });
});

describe('at', () => {
  it('runs at the times of its expression', async () => {
    const { clock, job, runs, stop } = await rig(hourly);
    expect(job.status).toMatchObject({
      schedule: '@hourly',
      phase: 'waiting',
      nextRun: new Date(START + HOUR),
    });
    await clock.advance(2 * HOUR);
    expect(runs).toEqual([HOUR, 2 * HOUR]);
    await stop();
  });

  it('computes the next time after a run, and never queues what passed meanwhile', async () => {
    const { work, end } = held();
    const { clock, job, runs, stop } = await rig(hourly, { work });
    await clock.advance(3.5 * HOUR);
    expect(job.status.nextRun).toBeNull();
    end();
    await clock.advance(0);
    expect(job.status.nextRun).toEqual(new Date(START + 4 * HOUR));
    await clock.advance(HOUR);
    expect(runs).toEqual([HOUR, 4 * HOUR]);
    end();
    await stop();
  });

  it('reads its expression in a time zone', async () => {
    const berlin: Make = (work, options) =>
      at('report', '0 9 * * *', work, { ...options, timeZone: 'Europe/Berlin' });
    const { clock, job, runs, stop } = await rig(berlin);
    expect(job.status.schedule).toBe('0 9 * * * (Europe/Berlin)');
    await clock.advance(DAY);
    expect(runs).toEqual([8 * HOUR]);
    await stop();
  });

  it('waits for times that are years away', async () => {
    const leap: Make = (work, options) => at('leap', '0 0 29 2 *', work, options);
    const { job, stop } = await rig(leap);
    expect(job.status.nextRun).toEqual(new Date('2028-02-29T00:00Z'));
    await stop();
    const start = Date.parse('2027-12-20T00:00Z');
    const later = await rig(leap, { start });
    await later.clock.advance(80 * DAY);
    expect(later.runs).toEqual([71 * DAY]);
    await later.stop();
  });

  it.each([
    ['not by a step back of less than three hours', -HOUR, [HOUR]],
    ['not before the time again, after a step back by more', -4 * HOUR, [HOUR, HOUR]],
  ])('runs a fixed time again %s', async (_, jump, expected) => {
    const clocks: Make = (work, options) =>
      at('report', '0 1 * * *', work, { ...options, timeZone: 'UTC' });
    const { clock, runs, stop } = await rig(clocks);
    await clock.advance(HOUR + MINUTE);
    clock.jump(jump);
    await clock.advance(5.5 * HOUR);
    expect(runs).toEqual(expected);
    await stop();
  });

  it('runs a fixed time once although the clock is set back during the run', async () => {
    const { work, end } = held();
    const make: Make = (run, options) =>
      at('report', '0 1 * * *', run, { ...options, timeZone: 'UTC' });
    const { clock, runs, stop } = await rig(make, { work });
    await clock.advance(HOUR + MINUTE);
    clock.jump(-30 * MINUTE);
    end();
    await clock.advance(5 * HOUR);
    expect(runs).toEqual([HOUR]);
    await stop();
  });

  it.each([
    ['what a clock put forward by less than three hours has left out', 2 * HOUR, 1],
    ['nothing after a clock was put forward by more', 10 * HOUR, 0],
  ])('makes up for %s', async (_, jump, expected) => {
    const clocks: Make = (work, options) =>
      at('report', '0 1 * * *', work, { ...options, timeZone: 'UTC' });
    const { clock, runs, stop } = await rig(clocks);
    clock.jump(jump);
    await clock.advance(2 * MINUTE);
    expect(runs).toHaveLength(expected);
    await stop();
  });

  it('takes a function from the previous time to the next', async () => {
    const twice = scheduleFunc((previous) => {
      const next = new Date(previous.getTime() + 90 * SECOND);
      return next.getTime() > START + 4 * MINUTE ? null : next;
    });
    const make: Make = (work, options) => at('own', twice, work, options);
    const { clock, job, runs, ending, stop } = await rig(make);
    expect(job.status.schedule).toBe('custom');
    await clock.advance(10 * MINUTE);
    expect(runs).toEqual([90 * SECOND, 180 * SECOND]);
    expect([job.status.nextRun, ending()]).toEqual([null, null]);
    await stop();
  });

  it.each([
    [
      'does not move on',
      (previous: Date) => previous,
      '2026-01-01T00:00:00.000Z as the time after',
    ],
    ['gives no date', () => new Date(Number.NaN), 'its schedule gave no time as the time after'],
  ])('fails as a service when its schedule %s', async (_, fn, message) => {
    const { ending } = await rig((work, options) => at('own', scheduleFunc(fn), work, options));
    expect(String(ending())).toContain(message);
  });

  it('refuses a time zone for what is no expression', () => {
    const own = scheduleFunc(() => null);
    expect(() => at('own', own, () => {}, { timeZone: 'UTC' })).toThrow(
      'cron: job own: timeZone is for expressions; give it to mustExpr, or leave it out',
    );
  });
});

describe.each([
  ['every', everyMinute, MINUTE],
  ['at', hourly, HOUR],
])('a job made by %s', (_, make, step) => {
  it('runs once at startup with runImmediately', async () => {
    const { clock, runs, ticks, stop } = await rig(make, { runImmediately: true });
    expect(runs).toEqual([0]);
    expect(ticks[0]!.scheduled).toBeNull();
    await clock.advance(step);
    expect(runs).toEqual([0, step]);
    await stop();
  });

  it('tells the error handler of a failed run, and goes on', async () => {
    const failure = new Error('no disk');
    const work = (): never => {
      throw failure;
    };
    const { clock, job, errors, stop } = await rig(make, { work });
    await clock.advance(2 * step);
    expect(errors).toEqual([failure, failure]);
    expect(job.status).toMatchObject({
      phase: 'waiting',
      lastRun: { outcome: 'failed', error: failure },
      runs: { ok: 0, failed: 2 },
    });
    await stop();
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('handler');
      },
    ],
    ['rejects', () => Promise.reject(new Error('handler'))],
  ])('goes on when the error handler itself %s', async (_how, errorHandler) => {
    const work = (): Promise<never> => Promise.reject(new Error('no disk'));
    const { clock, runs, stop } = await rig(make, { work, errorHandler });
    await clock.advance(2 * step);
    expect(runs).toHaveLength(2);
    await stop();
  });

  it('ends with the failure when it stops on errors', async () => {
    const failure = new Error('no disk');
    const work = (): Promise<never> => Promise.reject(failure);
    const { clock, job, runs, errors, ending } = await rig(make, { work, stopOnError: true });
    await clock.advance(3 * step);
    expect([runs.length, ending(), job.status.phase]).toEqual([1, failure, 'stopped']);
    expect(errors).toEqual([failure]);
    expect(clock.pending).toBe(0);
  });

  it('can be started again after that', async () => {
    const work = (): Promise<never> => Promise.reject(new Error('no disk'));
    const { clock, job, runs } = await rig(make, { work, stopOnError: true });
    await clock.advance(step);
    const stopping = new AbortController();
    const again = job.start(stopping.signal);
    await expect(job.start(stopping.signal)).rejects.toThrow('runs already');
    const ended = expect(again).rejects.toThrow('no disk');
    await clock.advance(step);
    await ended;
    expect(runs).toHaveLength(2);
  });

  it('fails a run that takes too long with DEADLINE_EXCEEDED, and waits for its real end', async () => {
    const { work, signals, end } = held();
    const { clock, job, runs, errors, stop } = await rig(make, { work, runTimeout: '10s' });
    await clock.advance(step + 10 * SECOND);
    const [error] = errors;
    expect(isStatusError(error) && error.code).toBe(Code.DEADLINE_EXCEEDED);
    expect(String(error)).toContain('the run took longer than 10s');
    expect(signals[0]!.reason).toBe(error);
    expect(job.status).toMatchObject({
      phase: 'running',
      lastRun: { outcome: 'timeout', durationMs: 10 * SECOND },
    });
    await clock.advance(2 * step);
    expect(runs).toHaveLength(1);
    end();
    await clock.advance(step - 5 * SECOND);
    expect(runs).toHaveLength(2);
    expect(job.status.runs).toMatchObject({ ok: 0, timeout: 1 });
    end();
    await stop();
  });

  it('delays each tick by chance, up to the jitter', async () => {
    const chances = [0, 0.5, 0.999];
    const random = (): number => chances.shift()!;
    const { clock, runs, ticks, stop } = await rig(make, { jitter: '20s', random });
    await clock.advance(3.9 * step);
    expect(runs.map((at) => at % step)).toEqual([0, 10 * SECOND, 19_980]);
    expect(ticks.map(({ scheduled }) => scheduled!.getTime())).toEqual(
      [1, 2, 3].map((count) => START + count * step),
    );
    await stop();
  });

  it('drops a tick that comes while a run is under way before any jitter', async () => {
    const { work, end } = held();
    const random = (): number => 0.5;
    const { clock, job, runs, stop } = await rig(make, { work, jitter: '20s', random });
    void job.trigger();
    await clock.advance(step + 5 * SECOND);
    end();
    await clock.advance(15 * SECOND);
    expect(runs).toEqual([0]);
    await stop();
  });

  it('leaves no timer of a run that was in time', async () => {
    const { clock, stop } = await rig(make, { runTimeout: '10s' });
    await clock.advance(step);
    expect(clock.pending).toBe(1);
    await stop();
  });

  it('aborts the run under way when the host stops, and waits for it', async () => {
    const work: JobWork = (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const { clock, job, errors, ending, stop } = await rig(make, { work });
    await clock.advance(step);
    await stop();
    expect([ending(), errors]).toEqual(['stopped', []]);
    expect(job.status).toMatchObject({ phase: 'stopped', nextRun: null, runs: { aborted: 1 } });
    expect(clock.pending).toBe(0);
  });

  it('begins no run once the host drains, and lets the one under way go on', async () => {
    const { work, signals, end } = held();
    const { clock, job, runs, stop } = await rig(make, { work });
    await clock.advance(step);
    job.beginDrain();
    expect(signals[0]!.aborted).toBe(false);
    end();
    await clock.advance(3 * step);
    expect(runs).toHaveLength(1);
    await expect(job.trigger()).rejects.toThrow('is not started');
    await stop();
  });

  it('makes up for nothing that passed in a pause', async () => {
    const { clock, job, runs, stop } = await rig(make);
    await clock.advance(step);
    job.pause();
    expect(job.status).toMatchObject({ phase: 'paused', nextRun: null });
    expect(job.nextTimes(1)).toHaveLength(1);
    await clock.advance(3 * step);
    job.resume();
    job.resume();
    await clock.advance(step);
    expect(runs).toEqual([step, 5 * step]);
    await stop();
  });

  it('runs at once when triggered, unless a run is under way', async () => {
    const { work, end } = held();
    const { clock, job, runs, stop } = await rig(make, { work });
    const triggered = job.trigger();
    expect(await job.trigger()).toBeNull();
    end();
    expect(await triggered).toMatchObject({ scheduled: null, outcome: 'ok' });
    await clock.advance(step);
    expect(runs).toEqual([0, step]);
    end();
    await stop();
  });

  it('tells its next times', async () => {
    const { job, stop } = await rig(make);
    const next = job.nextTimes(3).map((time) => time.getTime() - START);
    expect(next).toEqual([step, 2 * step, 3 * step]);
    await stop();
  });

  it('runs in its work scopes, if it has any, and outside of whatever surrounds it', async () => {
    const around = new AsyncLocalStorage<string>();
    const inside = new AsyncLocalStorage<string>();
    const scope: WorkScope = {
      [WORK_SCOPE]: true,
      run: (kind, name, fn) => inside.run(`${kind} ${name}`, fn),
    };
    const seenWith = async (workScopes: readonly WorkScope[]): Promise<unknown[]> => {
      const seen: unknown[] = [];
      const see = (): unknown => seen.push(`${around.getStore()}: ${inside.getStore()}`);
      const work = async (): Promise<never> => {
        await Promise.resolve();
        see();
        throw new Error('no disk');
      };
      const { clock, job, stop } = await rig(make, { work, errorHandler: see, workScopes });
      await around.run('service', () => clock.advance(step));
      await around.run('request', () => job.trigger());
      await stop();
      return seen;
    };
    const scoped = `undefined: cron ${make(() => {}, {}).name}`;
    expect(await seenWith([scope])).toEqual([scoped, scoped, scoped, scoped]);
    const [service, request] = ['service: undefined', 'request: undefined'];
    expect(await seenWith([])).toEqual([service, service, request, request]);
  });

  it('ends its work scopes with the failure of a run that takes too long', async () => {
    const endings: unknown[] = [];
    const scope: WorkScope = {
      [WORK_SCOPE]: true,
      run<T>(_kind: string, _name: string, fn: () => T) {
        const result = fn();
        Promise.resolve(result).catch((error: unknown) => endings.push(error));
        return result;
      },
    };
    const { work, end } = held();
    const options = { work, workScopes: [scope], runTimeout: '5s' };
    const { clock, errors, stop } = await rig(make, options);
    await clock.advance(step + 5 * SECOND);
    expect(endings).toEqual(errors);
    expect(errors).toHaveLength(1);
    end();
    await stop();
  });
});
