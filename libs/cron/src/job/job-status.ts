import {
  type JobOutcome,
  type JobPhase,
  type JobState,
  type MetricReading,
  thrownText,
} from '@apix/contracts';

/** A run that is over, or that has at least failed by its timeout. */
export interface RunRecord {
  /** The time on the schedule; null for a run outside of the schedule. */
  readonly scheduled: Date | null;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: JobOutcome;
  /** The error of a failed run. */
  readonly error?: unknown;
}

/** Whether a run failed, with an error or by its timeout. A run that the host aborted has not failed. */
export function hasFailed({ outcome }: RunRecord): boolean {
  return outcome === 'failed' || outcome === 'timeout';
}

/** A job at one moment. */
export interface JobStatus {
  readonly name: string;
  /** The interval or the expression. */
  readonly schedule: string;
  readonly phase: JobPhase;
  /** By hand; the run under way may still continue. */
  readonly isPaused: boolean;
  /** When it runs next, jitter not counted; null when it will not, or when that is not known yet. */
  readonly nextRun: Date | null;
  /** When the run under way began; null without one. */
  readonly runningSince: Date | null;
  readonly lastRun: RunRecord | null;
  /** Runs that have ended, by outcome. */
  readonly runs: Readonly<Record<JobOutcome, number>>;
  /** Ticks that were dropped because a run was under way. */
  readonly skipped: number;
}

/** The part of the status that the runs of a job know. */
export type RunsView = Pick<JobStatus, 'name' | 'runningSince' | 'lastRun' | 'runs' | 'skipped'>;

/** The part of the status that its service knows. */
type JobServiceView = Pick<JobStatus, 'schedule' | 'isPaused' | 'nextRun'> & {
  readonly isStarted: boolean;
};

export function jobStatusOf(view: RunsView, { isStarted, ...service }: JobServiceView): JobStatus {
  const { name, runningSince, lastRun, runs, skipped } = view;
  let phase: JobPhase = 'running';
  if (runningSince === null) {
    phase = isStarted ? (service.isPaused ? 'paused' : 'waiting') : 'stopped';
  }
  return { name, ...service, phase, runningSince, lastRun, runs, skipped };
}

/** The status as the seam `JobSource` has it. */
export function stateOf({ name, schedule, phase, nextRun, lastRun, runs }: JobStatus): JobState {
  const failures = runs.failed + runs.timeout;
  return {
    name,
    schedule,
    phase,
    next: nextRun,
    lastStart: lastRun?.startedAt ?? null,
    lastDurationMs: lastRun?.durationMs ?? null,
    lastOutcome: lastRun?.outcome ?? null,
    lastError: lastRun !== null && hasFailed(lastRun) ? thrownText(lastRun.error) : null,
    runs: runs.ok + runs.aborted + failures,
    failures,
  };
}

/** What is reported to meters about a job. */
export function* readingsOf(status: JobStatus): Iterable<MetricReading> {
  const { name: job, runs, skipped, lastRun } = status;
  for (const [outcome, value] of Object.entries(runs)) {
    yield {
      name: 'apix.cron.runs',
      kind: 'counter',
      value,
      description: 'Runs of a job that have ended',
      attributes: { job, outcome },
    };
  }
  yield {
    name: 'apix.cron.skipped',
    kind: 'counter',
    value: skipped,
    description: 'Ticks that were dropped because a run was under way',
    attributes: { job },
  };
  if (lastRun === null) return;
  yield {
    name: 'apix.cron.last_duration',
    kind: 'gauge',
    value: lastRun.durationMs / 1_000,
    unit: 's',
    description: 'How long the last run took',
    attributes: { job },
  };
}
