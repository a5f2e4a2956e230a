/**
 * How a run ended: `timeout` is a failure with DEADLINE_EXCEEDED, `aborted` none, the host
 * stopped.
 */
export type RunOutcome = 'ok' | 'failed' | 'timeout' | 'aborted';

/** A run that is over, or that has at least failed by its timeout. */
export interface RunRecord {
  /** The time on the schedule; null for a run that is on none. */
  readonly scheduled: Date | null;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: RunOutcome;
  /** What a failed run threw. */
  readonly error?: unknown;
}

/**
 * `stopped`: not started yet, stopped or failed; `paused`: by hand; `waiting`: for the next time;
 * `running`: a run is under way.
 */
export type JobState = 'stopped' | 'paused' | 'waiting' | 'running';

/** A job at one moment. */
export interface JobStatus {
  readonly name: string;
  /** The interval or the expression. */
  readonly schedule: string;
  readonly state: JobState;
  /** When it runs next, jitter not counted; null when it will not, or when that is not known yet. */
  readonly nextRun: Date | null;
  readonly lastRun: RunRecord | null;
  /** Runs that have ended, by outcome. */
  readonly runs: Readonly<Record<RunOutcome, number>>;
  /** Ticks that were dropped because a run was under way. */
  readonly skipped: number;
}
