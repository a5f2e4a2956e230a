import {
  type Clock,
  type Duration,
  type Mistakes,
  type WorkScope,
  systemClock,
} from '@apix/contracts';

/** The work of a job. The signal aborts when the host stops and when the run has taken too long. */
export type JobWork = (signal: AbortSignal, tick: Tick) => unknown;

/** What a run is for. */
export interface Tick {
  readonly job: string;
  /** The time on the schedule, before any jitter; null for a run outside of the schedule. */
  readonly scheduled: Date | null;
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

/** Checked and filled options; times in milliseconds. */
export interface ResolvedJobOptions {
  readonly runImmediately: boolean;
  /** Undefined: the code that runs the job. */
  readonly errorHandler: ((error: unknown, tick: Tick) => unknown) | undefined;
  readonly stopOnError: boolean;
  readonly runTimeoutMs: number;
  readonly jitterMs: number;
  readonly workScopes: readonly WorkScope[];
  readonly clock: Clock;
  readonly random: () => number;
}

/** Faults are added to `mistakes`. */
export function resolveJobOptions(options: JobOptions, mistakes: Mistakes): ResolvedJobOptions {
  const { runTimeout, jitter = 0, runImmediately = false, stopOnError = false } = options;
  return {
    runImmediately: mistakes.flag('runImmediately', runImmediately),
    errorHandler: options.errorHandler && mistakes.callable('errorHandler', options.errorHandler),
    stopOnError: mistakes.flag('stopOnError', stopOnError),
    runTimeoutMs:
      runTimeout === undefined ? Infinity : mistakes.duration('runTimeout', runTimeout, { min: 1 }),
    jitterMs: mistakes.duration('jitter', jitter),
    workScopes: options.workScopes ?? [],
    clock: options.clock ?? systemClock,
    random: mistakes.callable('random', options.random ?? Math.random),
  };
}
