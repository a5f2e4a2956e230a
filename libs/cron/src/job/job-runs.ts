import type { JobWork, ResolvedJobOptions, Tick } from './job-options.js';
import type { RunOutcome, RunRecord } from './job-status.js';
import { runOnce } from './run-once.js';

/** The runs of one job: never two at a time, each remembered, failures told. */
export class JobRuns {
  readonly name: string;
  readonly options: ResolvedJobOptions;
  readonly #work: JobWork;
  readonly #counts: Record<RunOutcome, number> = { ok: 0, failed: 0, timeout: 0, aborted: 0 };
  #last: RunRecord | null = null;
  #skipped = 0;
  #current: Promise<void> | null = null;

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

  get lastRun(): RunRecord | null {
    return this.#last;
  }

  get counts(): Readonly<Record<RunOutcome, number>> {
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
   * Runs the work, and resolves with what there is to tell of it as soon as that is known; never
   * rejects. With a run under way the tick is skipped, and that is null.
   */
  run(scheduled: Date | null, signal: AbortSignal): Promise<RunRecord> | null {
    if (this.#current !== null) {
      this.skip();
      return null;
    }
    const tick: Tick = { job: this.name, scheduled };
    const { record, ended } = runOnce(this.#work, tick, signal, this.options);
    const noted = this.#noted(record, tick);
    this.#current = this.#until(noted, ended);
    return noted;
  }

  async #noted(record: Promise<RunRecord>, tick: Tick): Promise<RunRecord> {
    const run = await record;
    this.#note(run, tick);
    return run;
  }

  async #until(noted: Promise<RunRecord>, ended: Promise<void>): Promise<void> {
    await noted;
    await ended;
    this.#current = null;
  }

  #note(run: RunRecord, tick: Tick): void {
    this.#last = run;
    this.#counts[run.outcome]++;
    if (run.outcome !== 'failed' && run.outcome !== 'timeout') return;
    try {
      const result = this.options.errorHandler(run.error, tick);
      if (result instanceof Promise) result.catch(() => {});
    } catch {
      // A handler of errors that fails has nobody left to tell.
    }
  }
}
