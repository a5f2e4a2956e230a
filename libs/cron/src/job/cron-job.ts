import { CronError } from '../errors.js';
import type { HostedJob } from './hosted-job.js';
import type { JobRuns } from './job-runs.js';
import { type JobStatus, type RunRecord, statusOf } from './job-status.js';
import { Session } from './session.js';
import { Ticker } from './ticker.js';
import { type Timing, describeTiming } from './timing.js';

/** A job as a service: waits for its times, and runs its work one run at a time. */
export class CronJob implements HostedJob {
  readonly name: string;
  readonly #timing: Timing;
  readonly #runs: JobRuns;
  readonly #ticker: Ticker;
  #session: Session | null = null;
  #isPaused = false;
  #isDraining = false;
  #cancelJitter: (() => void) | null = null;

  constructor(timing: Timing, runs: JobRuns) {
    this.name = runs.name;
    this.#timing = timing;
    this.#runs = runs;
    this.#ticker = new Ticker(this.name, timing, runs.options.clock, {
      onDue: (due) => this.#tick(due),
      onError: (error) => this.#session?.fail(error),
    });
  }

  get status(): JobStatus {
    return statusOf(this.#runs, {
      schedule: describeTiming(this.#timing),
      isStarted: this.#session !== null,
      isPaused: this.#isPaused,
      nextRun: this.#ticker.next,
    });
  }

  nextTimes(count: number): readonly Date[] {
    return this.#ticker.nextTimes(count);
  }

  async start(signal: AbortSignal): Promise<void> {
    if (this.#session !== null) throw new CronError(`cron: job ${this.name} runs already`);
    const session = new Session(signal);
    this.#session = session;
    this.#isDraining = false;
    try {
      if (!signal.aborted) {
        if (this.#runs.options.runImmediately && !this.#isPaused) void this.#run(null, session);
        this.#arm();
      }
      await session.over;
      this.#disarm();
      await this.#runs.idle;
    } finally {
      this.#disarm();
      this.#session = null;
    }
  }

  beginDrain(): void {
    this.#isDraining = true;
    this.#disarm();
  }

  pause(): void {
    this.#isPaused = true;
    this.#disarm();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#arm();
  }

  async trigger(): Promise<RunRecord | null> {
    if (this.#session === null || this.#isDraining) {
      throw new CronError(`cron: job ${this.name} is not started`);
    }
    return this.#run(null, this.#session);
  }

  /** Waits for the next time. That of a schedule is computed when the run under way has ended. */
  #arm(): void {
    if (this.#session === null || this.#isPaused || this.#isDraining) return;
    if (this.#timing.kind === 'every' || !this.#runs.isRunning) this.#ticker.arm();
  }

  /** A time has come: runs after the jitter, unless a run is under way or about to begin. */
  #tick(due: number): void {
    const session = this.#session;
    if (session === null) return;
    if (this.#cancelJitter !== null || this.#runs.isRunning) {
      this.#runs.skip();
      return;
    }
    const { clock, jitterMs, random } = this.#runs.options;
    const run = (): unknown => this.#run(new Date(due), session);
    if (jitterMs === 0) {
      run();
      return;
    }
    this.#cancelJitter = clock.after(random() * jitterMs, () => {
      this.#cancelJitter = null;
      run();
    });
  }

  #run(scheduled: Date | null, session: Session): Promise<RunRecord> | null {
    const run = this.#runs.run(scheduled, session.signal);
    if (run !== null) void this.#follow(run, session);
    return run;
  }

  async #follow(run: Promise<RunRecord>, session: Session): Promise<void> {
    const { outcome, error } = await run;
    const hasFailed = outcome === 'failed' || outcome === 'timeout';
    if (hasFailed && this.#runs.options.stopOnError) session.fail(error);
    await this.#runs.idle;
    this.#arm();
  }

  #disarm(): void {
    this.#ticker.disarm();
    this.#cancelJitter?.();
    this.#cancelJitter = null;
  }
}
