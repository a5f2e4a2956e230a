import { AsyncResource } from 'node:async_hooks';
import type { JobOutcome } from '@apix/contracts';
import type { HostLogger } from '@apix/hostx/core';
import type { JobWork, ResolvedJobOptions, Tick } from './job-options.js';
import { type RunRecord, type RunsView, hasFailed } from './job-status.js';
import { type RunningJob, runOnce } from './run-once.js';

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
