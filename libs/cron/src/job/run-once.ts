import { Code, StatusError, deadlineAfter, formatDuration, runInScopes } from '@apix/contracts';
import type { JobWork, ResolvedJobOptions, Tick } from './job-options.js';
import type { RunOutcome, RunRecord } from './job-status.js';

/** A run under way. Neither promise rejects. */
export interface RunningJob {
  /** What there is to tell of the run: when it has ended, or its timeout has passed. */
  readonly record: Promise<RunRecord>;
  /** The work has really ended; only then may another run begin. */
  readonly ended: Promise<void>;
}

type Ending = Pick<RunRecord, 'outcome' | 'error'>;

/** Runs the work of a job once, inside its scopes and under its timeout. */
export function runOnce(
  work: JobWork,
  tick: Tick,
  parent: AbortSignal,
  options: ResolvedJobOptions,
): RunningJob {
  const { clock, runTimeoutMs, workScopes } = options;
  const begun = clock.now();
  const deadline = deadlineAfter(runTimeoutMs, clock);
  const controller = new AbortController();
  const forward = (): void => controller.abort(parent.reason);
  if (parent.aborted) forward();
  else parent.addEventListener('abort', forward, { once: true });

  const timedOut = new Promise<Ending>((resolve) => {
    deadline.signal.addEventListener('abort', () => {
      const error = new StatusError(
        Code.DEADLINE_EXCEEDED,
        `cron: job ${tick.job}: the run took longer than ${formatDuration(runTimeoutMs)}`,
      );
      controller.abort(error);
      resolve({ outcome: 'timeout', error });
    });
  });
  const worked = endingOf(
    () => runInScopes(workScopes, 'cron', tick.job, () => work(controller.signal, tick)),
    parent,
  );
  const record = Promise.race([worked, timedOut]).then((ending) => ({
    scheduled: tick.scheduled,
    startedAt: new Date(begun),
    durationMs: clock.now() - begun,
    ...ending,
  }));
  const clearUp = (): void => {
    deadline.dispose();
    parent.removeEventListener('abort', forward);
  };
  return { record, ended: endOf(worked, clearUp) };
}

async function endOf(worked: Promise<Ending>, clearUp: () => void): Promise<void> {
  await worked;
  clearUp();
}

async function endingOf(work: () => unknown, parent: AbortSignal): Promise<Ending> {
  try {
    await work();
    return { outcome: 'ok' };
  } catch (error) {
    const outcome: RunOutcome = isAbortOf(parent, error) ? 'aborted' : 'failed';
    return { outcome, error };
  }
}

/** Whether an error only says that the work was told to stop. */
function isAbortOf(signal: AbortSignal, error: unknown): boolean {
  if (!signal.aborted) return false;
  const { name, cause } = (error ?? {}) as { readonly name?: unknown; readonly cause?: unknown };
  return error === signal.reason || name === 'AbortError' || cause === signal.reason;
}
