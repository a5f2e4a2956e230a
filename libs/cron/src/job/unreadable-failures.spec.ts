import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unreadableValues } from '@apix/contracts/testing';
import { HOUR, MINUTE, SECOND, everyMinute, hourly, rig } from './job.fixture.js';
import type { JobWork } from './job-options.js';
import { stateOf } from './job-status.js';

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown): void => void unhandled.push(error);
beforeEach(() => void process.on('unhandledRejection', onUnhandled));
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled.splice(0)).toHaveLength(0);
});

describe.each(unreadableValues())('a job that throws %s', (_what, thrown) => {
  const work: JobWork = () => Promise.reject(thrown);

  describe.each([
    ['every', everyMinute, MINUTE],
    ['at', hourly, HOUR],
  ])('and was made by %s', (_, make, step) => {
    it('reports the failure, shows its text, and continues', async () => {
      const { clock, job, runs, errors, stop } = await rig(make, { work });
      await clock.advance(2 * step);
      expect(runs).toEqual([step, 2 * step]);
      expect(errors.map((error) => Object.is(error, thrown))).toEqual([true, true]);
      expect(job.status).toMatchObject({ phase: 'waiting', runs: { failed: 2 } });
      expect(stateOf(job.status)).toMatchObject({
        lastOutcome: 'failed',
        lastError: expect.stringMatching(/./),
      });
      await stop();
    });

    it('ends when the host stops although the run throws it then', async () => {
      const onStop: JobWork = (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(thrown));
        });
      const { clock, job, ending, stop } = await rig(make, { work: onStop });
      await clock.advance(step);
      await stop();
      expect(ending()).toBe('stopped');
      expect(job.status).toMatchObject({ phase: 'stopped', runningSince: null });
    });

    it('goes on after its error handler throws it too', async () => {
      const errorHandler = (): Promise<never> => Promise.reject(thrown);
      const { clock, runs, stop } = await rig(make, { work, errorHandler });
      await clock.advance(2 * step);
      expect(runs).toHaveLength(2);
      await stop();
    });

    it('goes on after a run that throws it beyond its timeout', async () => {
      const late: JobWork = (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(thrown));
        });
      const { clock, job, stop } = await rig(make, { work: late, runTimeout: '5s' });
      await clock.advance(2 * step + 5 * SECOND);
      expect(job.status.runs).toMatchObject({ timeout: 2 });
      await stop();
    });
  });
});
