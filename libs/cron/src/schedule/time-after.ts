import { shownValue, thrownText } from '@apix/contracts';
import { isPromiseLike } from '@apix/contracts/internal';
import { CronError } from '../errors.js';
import type { Schedule } from './schedule.js';

/**
 * The first time of a schedule after `base`, both in milliseconds since the epoch; null if there are no
 * more.
 *
 * @throws CronError for a schedule that throws, and for one that returns anything but a later time.
 */
export function timeAfter(job: string, schedule: Schedule, base: number): number | null {
  const where = `cron: job ${job}: schedule: next`;
  let next: unknown;
  let due: number | null;
  try {
    next = schedule.next(new Date(base));
    due = next === null ? null : readTime(next);
  } catch (error) {
    throw new CronError(`${where}: ${thrownText(error)}`, { cause: error });
  }
  if (due === null || due > base) return due;
  const shown = Number.isNaN(due) ? 'an invalid date' : new Date(due).toISOString();
  throw new CronError(
    `${where} must return a later time, not ${shown} after ${new Date(base).toISOString()}`,
  );
}

/** By the method of Date itself, as that of the value may say anything. */
function readTime(next: unknown): number {
  try {
    return Date.prototype.getTime.call(next);
  } catch (error) {
    // An unhandled rejection would end the process.
    if (isPromiseLike(next)) void next.then(undefined, () => {});
    throw new TypeError(`must return a Date or null, not ${shownValue(next)}`, { cause: error });
  }
}
