import { AsyncResource } from 'node:async_hooks';
import {
  Code,
  type JobOutcome,
  StatusError,
  deadlineAfter,
  formatDuration,
  onAbort,
} from '@apix/contracts';
import { runInScopes, workUnderWay, isAbortOf, linkAbort } from '@apix/contracts/internal';
import type { JobWork, ResolvedJobOptions, Tick } from './job-options.js';
import type { RunRecord } from './job-status.js';

/** A run under way. Neither promise rejects. */
export interface RunningJob {
  readonly startedAt: Date;
  /** The result of the run: available when it has ended, or its timeout has passed. */
  readonly record: Promise<RunRecord>;
  /** The work has really ended; only then may another run begin. */
  readonly ended: Promise<void>;
  /** Does something as if inside the run's scopes: with its logger and its trace. */
  within(fn: () => void): void;
}

/** Runs the work of a job once, inside its scopes and under its timeout. */
export function runOnce(
  work: JobWork,
  tick: Tick,
  parent: AbortSignal,
  options: ResolvedJobOptions,
): RunningJob {
  const { clock, runTimeout, workScopes } = options;
  const startedAt = new Date(clock.now());
  const run = linkAbort(parent);
  const deadline = deadlineAfter(runTimeout, clock);
  let timeout: StatusError | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    onAbort(deadline.signal, () => {
      timeout = new StatusError(
        Code.DEADLINE_EXCEEDED,
        `cron: job ${tick.job}: the run took longer than ${formatDuration(runTimeout)}`,
      );
      reject(timeout);
      run.abort(timeout);
    });
  });

  let inner: AsyncResource | undefined;
  let worked: Promise<unknown> = Promise.resolve();
  // The scopes see the timeout too, so that a span ends with it.
  const scoped = (): unknown =>
    runInScopes(workScopes, 'cron', tick.job, () => {
      inner = new AsyncResource('apix.CronRun');
      worked = workUnderWay(() => work(run.signal, tick));
      return Promise.race([worked, timedOut]);
    });
  const outcomeOf = (error: unknown): JobOutcome => {
    if (timeout !== undefined && error === timeout) return 'timeout';
    return isAbortOf(parent, error) ? 'aborted' : 'failed';
  };
  const record = endingOf(scoped, outcomeOf).then((ending) => ({
    scheduled: tick.scheduled,
    startedAt,
    durationMs: Math.max(0, clock.now() - startedAt.getTime()),
    ...ending,
  }));
  const ended = (async () => {
    await record;
    await worked.catch(() => {});
    deadline.dispose();
    run.dispose();
  })();
  return {
    startedAt,
    record,
    ended,
    within: (fn) => (inner === undefined ? fn() : inner.runInAsyncScope(fn)),
  };
}

async function endingOf(
  work: () => unknown,
  outcomeOf: (error: unknown) => JobOutcome,
): Promise<Pick<RunRecord, 'outcome' | 'error'>> {
  try {
    await work();
    return { outcome: 'ok' };
  } catch (error) {
    return { outcome: outcomeOf(error), error };
  }
}
