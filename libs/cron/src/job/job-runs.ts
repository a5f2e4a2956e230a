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
import type { HostLogger } from '@apix/hostx/core';
import type { JobWork, ResolvedJobOptions, Tick } from './job-options.js';
import { type RunRecord, type RunsView, hasFailed } from './job-status.js';

/** The runs of one job: never two at a time, each recorded, failures reported. */
export class JobRuns implements RunsView {
  readonly name: string;
  readonly options: ResolvedJobOptions;
  readonly #work: JobWork;
  /**
   * A run with its own scopes begins outside of all others: those of its service, which last as long as the
   * process, and those of the code that triggers it.
   */
  readonly #outside = new AsyncResource('apix.CronJob');
  readonly #counts: Record<JobOutcome, number> = { ok: 0, failed: 0, timeout: 0, aborted: 0 };
  #last: RunRecord | null = null;
  #skipped = 0;
  #log: HostLogger | undefined;
  #current: Promise<void> | null = null;
  #runningSince: Date | null = null;

  constructor(name: string, work: JobWork, options: ResolvedJobOptions) {
    this.name = name;
    this.options = options;
    this.#work = work;
  }

  get isRunning(): boolean {
    return this.#current !== null;
  }

  /** Resolves when no run is under way. */
  get idle(): Promise<void> {
    return this.#current ?? Promise.resolve();
  }

  get runningSince(): Date | null {
    return this.#runningSince;
  }

  get lastRun(): RunRecord | null {
    return this.#last;
  }

  get runs(): Readonly<Record<JobOutcome, number>> {
    return { ...this.#counts };
  }

  get skipped(): number {
    return this.#skipped;
  }

  /** Counts a tick that was dropped. */
  skip(): void {
    this.#skipped++;
  }

  /**
   * Runs the work, and resolves with its result as soon as that is known; never rejects. While a run is
   * under way the tick is skipped, and the result is null.
   */
  run(scheduled: Date | null, signal: AbortSignal, fence?: number): Promise<RunRecord> | null {
    if (this.#current !== null) {
      this.skip();
      return null;
    }
    const tick: Tick = { job: this.name, scheduled, ...(fence !== undefined && { fence }) };
    const begin = (): RunningJob => runOnce(this.#work, tick, signal, this.options);
    const isScoped = this.options.workScopes.length > 0;
    const running = isScoped ? this.#outside.runInAsyncScope(begin) : begin();
    this.#runningSince = running.startedAt;
    const noted = this.#noted(running, tick);
    this.#current = this.#until(noted, running.ended);
    return noted;
  }

  async #noted(running: RunningJob, tick: Tick): Promise<RunRecord> {
    const run = await running.record;
    // Only work that took too long may still continue.
    if (run.outcome !== 'timeout') this.#end();
    this.#last = run;
    this.#counts[run.outcome]++;
    const { errorHandler, stopOnError } = this.options;
    // The end of its service is logged by the host already.
    if (hasFailed(run) && (errorHandler !== undefined || !stopOnError)) {
      running.within(() => void this.reportFailure(run.error, tick.scheduled));
    }
    return run;
  }

  async #until(noted: Promise<RunRecord>, ended: Promise<void>): Promise<void> {
    const isSlow = (await noted).outcome === 'timeout';
    await ended;
    if (isSlow) this.#end();
  }

  #end(): void {
    this.#current = null;
    this.#runningSince = null;
  }

  /** Logs failures without a handler to the log of the host that runs the job. */
  logTo(log: HostLogger | undefined): void {
    this.#log = log;
  }

  /** Calls the error handler, or else writes to the host's log; what that throws itself is ignored. */
  async reportFailure(error: unknown, scheduled: Date | null): Promise<void> {
    try {
      const { errorHandler } = this.options;
      if (errorHandler === undefined) this.#log?.error(error, 'Job {Job} failed', this.name);
      else await errorHandler(error, { job: this.name, scheduled });
    } catch {
      // There is nothing left to report the failure of an error handler to.
    }
  }
}

/** A run under way. Neither promise rejects. */
interface RunningJob {
  readonly startedAt: Date;
  /** The result of the run: available when it has ended, or its timeout has passed. */
  readonly record: Promise<RunRecord>;
  /** The work has really ended; only then may another run begin. */
  readonly ended: Promise<void>;
  /** Does something as if inside the run's scopes: with its logger and its trace. */
  within(fn: () => void): void;
}

/** Runs the work of a job once, inside its scopes and under its timeout. */
function runOnce(
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
