import { describe, expect, it } from '@jest/globals';
import { Code, isStatusError } from '@apix/contracts';
import type { JobWork } from './job-options.js';
import { HOUR, MINUTE, SECOND, START, everyMinute, held, hourly, rig } from './job.fixture.js';

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

  it('calls the error handler with a failed run, and runs again', async () => {
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
  ])('continues when the error handler itself %s', async (_how, errorHandler) => {
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
    await expect(job.start(stopping.signal)).rejects.toThrow('is already started');
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

  it('returns its next times', async () => {
    const { job, stop } = await rig(make);
    const next = job.nextTimes(3).map((time) => time.getTime() - START);
    expect(next).toEqual([step, 2 * step, 3 * step]);
    await stop();
  });
});
