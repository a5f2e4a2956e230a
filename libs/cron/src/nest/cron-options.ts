import {
  callable,
  FLAG,
  objectWith,
  type OptionTable,
  withDefault,
} from '@apix/contracts/internal';
import type { Tick } from '../job/job-options.js';
import type { Replicas } from '../job/replicas.js';
import { TIME_ZONE } from '../schedule/time-zone.js';

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

/** The allowed values of the options of CronModule. */
export const CRON_MODULE_OPTIONS = {
  enabled: withDefault(FLAG, true),
  timeZone: TIME_ZONE,
  errorHandler: callable<NonNullable<CronModuleOptions['errorHandler']>>(),
  replicas: objectWith<Replicas>('replicas such as those of bullmqReplicas(…)', 'job'),
} satisfies OptionTable<CronModuleOptions>;
