import { Mistakes, shownValue } from '@apix/contracts';
import { cronErrorOf } from '../errors.js';
import type { Tick } from '../job/job-options.js';
import type { Replicas } from '../job/replicas.js';
import { zoneOf } from '../schedule/parse-expression.js';

/** Options for all decorated jobs. */
export interface CronModuleOptions {
  /** False: no job runs, as in tests and command lines. Default: true. */
  readonly enabled?: boolean | undefined;
  /** IANA name in which the expressions of `@At` are read. Default: the host's local time. */
  readonly timeZone?: string | undefined;
  /**
   * Gets what failed runs threw, for jobs without a handler of their own. Default: logs it, with
   * Nest's logger, under the context `Cron`.
   */
  readonly errorHandler?: ((error: unknown, tick: Tick) => unknown) | undefined;
  /** Runs each tick in one of several replicas. Default: each process runs every tick. */
  readonly replicas?: Replicas | undefined;
}

/** @throws CronError that lists every mistake. */
export function checkCronOptions(options: CronModuleOptions): void {
  const { enabled = true, timeZone, errorHandler, replicas } = options;
  const mistakes = new Mistakes();
  mistakes.flag('enabled', enabled);
  if (timeZone !== undefined) mistakes.attempt('timeZone', () => zoneOf(timeZone), null);
  if (errorHandler !== undefined) mistakes.callable('errorHandler', errorHandler);
  if (replicas !== undefined && typeof replicas?.job !== 'function') {
    mistakes.add(
      'replicas',
      `must be replicas such as those of bullmqReplicas(…), not ${shownValue(replicas)}`,
    );
  }
  mistakes.throwIfAny(cronErrorOf('cron'));
}
