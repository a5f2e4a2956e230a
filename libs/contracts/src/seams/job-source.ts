import { markClass } from '../brand.js';

/** Offered by cron; read by the host page and telemetry. Counters of jobs are a MetricSource too. */
export const JOB_SOURCE = Symbol.for('apix.JobSource');

/** `timeout` is a failure with DEADLINE_EXCEEDED; `aborted` is not a failure: the host stopped. */
export type JobOutcome = 'ok' | 'failed' | 'timeout' | 'aborted';

/**
 * `stopped`: not started yet, stopped or failed; `paused`: by hand; `waiting`: for the next time;
 * `running`: a run is under way.
 */
export type JobPhase = 'stopped' | 'paused' | 'waiting' | 'running';

/** A periodic job at one moment, as this process sees it. */
export interface JobState {
  /** Unique in the app. */
  readonly name: string;
  /** For people, such as `every 10m` or `0 2 * * * (Europe/Berlin)`. */
  readonly schedule: string;
  readonly phase: JobPhase;
  /** When it runs next; null when it will not, or when that is not known yet. */
  readonly next: Date | null;
  /** When the last run that has ended began; null before the first. */
  readonly lastStart: Date | null;
  readonly lastDurationMs: number | null;
  readonly lastOutcome: JobOutcome | null;
  /** The message of the last run's failure, for the operator; null when it did not fail. */
  readonly lastError: string | null;
  /** Runs that have ended, since the process started. */
  readonly runs: number;
  /** Those of them that failed or took too long. */
  readonly failures: number;
}

export interface JobSource {
  readonly [JOB_SOURCE]?: true;
  /** In the order of registration. */
  jobs(): readonly JobState[];
  /**
   * Runs a job now, in addition to its schedule; of a source whose jobs can be run by hand. Resolves when the run
   * has ended, whatever its outcome, and at once if a run is under way already.
   *
   * @throws Error, as a rejection, for a name that no job of the source has, and if the job is not started.
   */
  run?(name: string): Promise<void>;
}

/** Marks a provider of periodic jobs for the host page. The same as a property `[JOB_SOURCE] = true`. */
export function JobSource(): ClassDecorator {
  return markClass(JOB_SOURCE);
}
