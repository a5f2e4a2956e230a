import { type Clock, type Duration, type WorkScope, systemClock } from '@apix/contracts';
import {
  arrayOf,
  callable,
  CLOCK,
  DURATION,
  duration,
  FLAG,
  objectWith,
  type OptionTable,
  type ReadOptions,
  withDefault,
} from '@apix/contracts/internal';
import { TIME_ZONE } from '../schedule/time-zone.js';

/** The work of a job. The signal aborts when the host stops and when the run has taken too long. */
export type JobWork = (signal: AbortSignal, tick: Tick) => unknown;

/** What a run is for. */
export interface Tick {
  readonly job: string;
  /** The time on the schedule, before any jitter; null for a run outside of the schedule. */
  readonly scheduled: Date | null;
  /**
   * With `postgresReplicas`: the number of the run, greater than that of every earlier run of the job. A store
   * that refuses lower numbers than it has seen refuses a replica that was paused and has lost its run.
   */
  readonly fence?: number | undefined;
}

/** Options of a job; those of the spec under their own names. */
export interface JobOptions {
  /** One run at startup, before the first tick. Default: false. */
  readonly runImmediately?: boolean | undefined;
  /**
   * Called with the error of a failed run. Errors that it throws itself are ignored. Default: an error in
   * the log of the host that runs the job; nothing without a host.
   */
  readonly errorHandler?: ((error: unknown, tick: Tick) => unknown) | undefined;
  /** A failure stops the job, as a failure of its service, instead of waiting for the next tick. Default: false. */
  readonly stopOnError?: boolean | undefined;
  /**
   * A run that takes longer fails with DEADLINE_EXCEEDED and its signal aborts. Until the work
   * really ends, ticks are skipped: runs never overlap. Default: unlimited.
   */
  readonly runTimeout?: Duration | undefined;
  /** Delays each tick by chance, from 0 up to this. Default: 0. */
  readonly jitter?: Duration | undefined;
  /** Runs each run inside these scopes, as work of kind `cron`. In Nest those of the app are used automatically. */
  readonly workScopes?: readonly WorkScope[] | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
  /**
   * The source of jitter: returns a number from 0 to 1. If it throws or returns anything else, the tick has
   * no jitter and `errorHandler` gets a CronError. Default: Math.random.
   */
  readonly random?: (() => number) | undefined;
}

const NO_SCOPES: readonly WorkScope[] = [];

/** The allowed values of the options of a job. */
export const JOB_OPTIONS = {
  runImmediately: withDefault(FLAG, false),
  errorHandler: callable<NonNullable<JobOptions['errorHandler']>>(),
  stopOnError: withDefault(FLAG, false),
  runTimeout: withDefault(duration({ min: 1 }), Infinity),
  jitter: withDefault(DURATION, 0),
  workScopes: withDefault(arrayOf(objectWith<WorkScope>('a work scope', 'run')), NO_SCOPES),
  clock: withDefault(CLOCK, systemClock),
  random: withDefault(callable<() => number>(), Math.random),
} satisfies OptionTable<JobOptions>;

/** Options of a job on a schedule. */
export interface AtOptions extends JobOptions {
  /** IANA name in which an expression is read. Default: the host's local time. */
  readonly timeZone?: string | undefined;
}

/** The allowed values of the options of a job on a schedule. */
export const AT_OPTIONS = { ...JOB_OPTIONS, timeZone: TIME_ZONE } satisfies OptionTable<AtOptions>;

/** Read options, with every default; times in milliseconds. */
export type ResolvedJobOptions = ReadOptions<typeof JOB_OPTIONS>;
