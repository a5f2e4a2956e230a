import type { Service, ServiceContext } from '@apix/hostx/core';
import type { JobStatus, RunRecord } from './job-status.js';

/** A job as seen and handled from outside. */
export interface JobControl {
  readonly name: string;
  readonly status: JobStatus;
  /**
   * The next times from now on, jitter not counted, whether it is started or not; fewer if there are no
   * more.
   *
   * @throws what its schedule throws.
   */
  nextTimes(count: number): readonly Date[];
  /** No further run begins; a run that is under way continues. */
  pause(): void;
  /** Ends a pause; times that passed in it are not made up for. */
  resume(): void;
  /**
   * Runs now, paused or not, and resolves with how that went; with null when a run is under way
   * already. Rejects with CronError when the job is not started, and when its replicas
   * cannot reach each other.
   */
  trigger(): Promise<RunRecord | null>;
}

/** A job that the host runs and that can be handled from outside. */
export interface HostedJob extends Service, JobControl {
  readonly name: string;
  /** Runs until the signal aborts, and then until the run under way has ended. */
  start(signal: AbortSignal, context?: ServiceContext): Promise<void>;
  /** The host is about to stop: no further run begins, and the one under way continues. */
  beginDrain(): void;
}
