import type { Duration } from '@apix/contracts';
import { CronError } from '../errors.js';
import { mustExpr } from '../schedule/must-expr.js';
import type { Schedule } from '../schedule/schedule.js';
import { CronJob } from './cron-job.js';
import type { HostedJob } from './hosted-job.js';
import { type JobOptions, type JobWork, milliseconds, resolveJobOptions } from './job-options.js';
import { JobRuns } from './job-runs.js';
import type { Timing } from './timing.js';

/** Options of a job on a schedule. */
export interface AtOptions extends JobOptions {
  /** IANA name in which an expression is read. Default: the host's local time. */
  readonly timeZone?: string | undefined;
}

/**
 * A job that runs on a fixed interval, each counted from the one before: `builder.addService(every(…))`.
 * A tick that comes while a run is under way is dropped. Changes of the clock do not matter.
 *
 * @throws CronError for what is no interval and for wrong options.
 */
export function every(
  name: string,
  interval: Duration,
  work: JobWork,
  options: JobOptions = {},
): HostedJob {
  return makeJob(name, { interval }, work, options);
}

/**
 * A job that runs on a schedule: an expression of five fields, see {@link mustExpr}, or any other
 * {@link Schedule}. The next time is computed when a run has ended; times that passed meanwhile
 * are skipped and never made up for.
 *
 * @throws CronError for a wrong expression and for wrong options.
 */
export function at(
  name: string,
  schedule: string | Schedule,
  work: JobWork,
  options: AtOptions = {},
): HostedJob {
  return makeJob(name, { schedule, timeZone: options.timeZone }, work, options);
}

/** When a job runs, as it was written down. */
export type JobTiming =
  | { readonly interval: Duration }
  | { readonly schedule: string | Schedule; readonly timeZone?: string | undefined };

function makeJob(name: string, timing: JobTiming, work: JobWork, options: JobOptions): HostedJob {
  return new CronJob(timingOf(name, timing), runsOf(name, work, options));
}

/** @throws CronError for a job without a name or work, and for wrong options. */
export function runsOf(name: string, work: JobWork, options: JobOptions): JobRuns {
  if (typeof work !== 'function') throw new CronError(`cron: job ${name}: its work is no function`);
  return new JobRuns(name, work, resolveJobOptions(name, options));
}

/** @throws CronError for what is no interval, a wrong expression or an unknown time zone. */
export function timingOf(name: string, timing: JobTiming): Timing {
  if ('interval' in timing) {
    const intervalMs = milliseconds(name, 'interval', timing.interval);
    if (intervalMs < 1) throw new CronError(`cron: job ${name}: interval: must be at least 1 ms`);
    return { kind: 'every', intervalMs };
  }
  const { schedule, timeZone } = timing;
  if (typeof schedule === 'string') {
    return { kind: 'at', schedule: mustExpr(schedule, { timeZone }) };
  }
  if (timeZone !== undefined) {
    throw new CronError(
      `cron: job ${name}: timeZone is for expressions; give it to mustExpr, or leave it out`,
    );
  }
  return { kind: 'at', schedule };
}
