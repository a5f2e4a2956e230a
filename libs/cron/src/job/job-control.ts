import type { JobStatus, RunRecord } from './job-status.js';

/** A job as seen and handled from outside. */
export interface JobControl {
  readonly name: string;
  readonly status: JobStatus;
  /** No further run begins; the one under way goes on. */
  pause(): void;
  /** Ends a pause; times that passed in it are not made up for. */
  resume(): void;
  /**
   * Runs now, and resolves with how that went; null when a run is under way already.
   *
   * @throws CronError when the job is not started.
   */
  trigger(): Promise<RunRecord> | null;
}
