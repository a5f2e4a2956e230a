import { type Duration, Mistakes, shownValue } from '@apix/contracts';
import { cronErrorOf } from '../errors.js';
import { expressionSchedule } from '../schedule/parse-expression.js';
import type { Schedule } from '../schedule/schedule.js';
import { CronJob } from './cron-job.js';
import type { HostedJob } from './hosted-job.js';
import { type JobOptions, type JobWork, resolveJobOptions } from './job-options.js';
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
 * @throws CronError that lists every mistake.
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
 * A job that runs on a schedule: an expression of five fields, see `parseExpression`, or any other
 * {@link Schedule}. The next time is computed when a run has ended; times that passed meanwhile
 * are skipped and never made up for.
 *
 * @throws CronError that lists every mistake.
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
  const parts = jobParts(name, timing, work, options);
  return new CronJob(parts.timing, parts.runs);
}

/** The parts of every job. @throws CronError that lists every mistake. */
export function jobParts(
  name: string,
  timing: JobTiming,
  work: JobWork,
  options: JobOptions,
): { readonly timing: Timing; readonly runs: JobRuns } {
  const mistakes = new Mistakes();
  mistakes.text('name', name);
  const resolved = resolveTiming(timing, mistakes);
  mistakes.callable('work', work);
  const runs = new JobRuns(name, work, resolveJobOptions(options, mistakes));
  mistakes.throwIfAny(cronErrorOf(name === '' ? 'cron: job' : `cron: job ${name}`));
  return { timing: resolved, runs };
}

const NEVER: Schedule = { next: () => null };

function resolveTiming(timing: JobTiming, mistakes: Mistakes): Timing {
  if ('interval' in timing) {
    const intervalMs = mistakes.duration('interval', timing.interval, { min: 1 });
    return { kind: 'every', intervalMs };
  }
  const { schedule, timeZone } = timing;
  if (typeof schedule === 'string') {
    return { kind: 'at', schedule: expressionSchedule(schedule, { timeZone }, mistakes) ?? NEVER };
  }
  if (typeof schedule?.next !== 'function') {
    mistakes.add(
      'schedule',
      `must be an expression or an object with a next method, not ${shownValue(schedule)}`,
    );
  }
  if (timeZone !== undefined) {
    mistakes.add('timeZone', 'is only for expressions; give it to parseExpression instead');
  }
  return { kind: 'at', schedule };
}
