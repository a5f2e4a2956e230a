import { type Duration, Mistakes } from '@apix/contracts';
import {
  type AnyTable,
  callable,
  duration,
  objectWith,
  readOptions,
  type ReadOptions,
  TEXT,
} from '@apix/contracts/internal';
import { cronErrorOf } from '../errors.js';
import { expressionSchedule } from '../schedule/parse-expression.js';
import type { Schedule } from '../schedule/schedule.js';
import { CronJob } from './cron-job.js';
import type { HostedJob } from './hosted-job.js';
import {
  AT_OPTIONS,
  type AtOptions,
  JOB_OPTIONS,
  type JobOptions,
  type JobWork,
} from './job-options.js';
import { JobRuns } from './job-runs.js';
import type { Timing } from './timing.js';

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
  return makeJob(name, { schedule }, work, options);
}

/** When a job runs, as it was written down. */
export type JobTiming = { readonly interval: Duration } | { readonly schedule: string | Schedule };

function makeJob(name: string, timing: JobTiming, work: JobWork, options: AtOptions): HostedJob {
  const parts = jobParts(name, timing, work, options);
  return new CronJob(parts.timing, parts.runs);
}

/**
 * The parts of every job.
 *
 * @param others further options that are allowed and that the caller reads.
 * @throws CronError that lists every mistake.
 */
export function jobParts(
  name: string,
  timing: JobTiming,
  work: JobWork,
  options: AtOptions,
  others: AnyTable = {},
): { readonly timing: Timing; readonly runs: JobRuns } {
  const mistakes = new Mistakes();
  TEXT.read(name, 'name', mistakes);
  const table = 'schedule' in timing ? AT_OPTIONS : JOB_OPTIONS;
  const read: ReadOptions<typeof AT_OPTIONS> = readOptions(
    { ...others, ...table },
    options,
    '',
    mistakes,
  );
  const resolved = resolveTiming(timing, read.timeZone, mistakes);
  callable().read(work, 'work', mistakes);
  mistakes.throwIfAny(cronErrorOf(name === '' ? 'cron: job' : `cron: job ${name}`));
  return { timing: resolved, runs: new JobRuns(name, work, read) };
}

const SCHEDULE = objectWith<Schedule>('an expression or an object with a next method', 'next');
/** Several fields, or an alias. */
const EXPRESSION = /^(?:@\w+$|[\d*]\S*\s+\S+\s+\S)/;

const NEVER: Schedule = { next: () => null };

function resolveTiming(
  timing: JobTiming,
  timeZone: string | undefined,
  mistakes: Mistakes,
): Timing {
  if ('interval' in timing) {
    if (typeof timing.interval === 'string' && EXPRESSION.test(timing.interval.trim())) {
      const given = JSON.stringify(timing.interval);
      mistakes.add('interval', `${given} is an expression, not an interval; use at(…) or @At`);
      return { kind: 'every', intervalMs: 1 };
    }
    const intervalMs = duration({ min: 1 }).read(timing.interval, 'interval', mistakes) ?? 1;
    return { kind: 'every', intervalMs };
  }
  const { schedule } = timing;
  if (typeof schedule === 'string') {
    return { kind: 'at', schedule: expressionSchedule(schedule, { timeZone }, mistakes) ?? NEVER };
  }
  SCHEDULE.read(schedule, 'schedule', mistakes);
  if (timeZone !== undefined) {
    mistakes.add('timeZone', 'is only for expressions; give it to parseExpression instead');
  }
  return { kind: 'at', schedule };
}
