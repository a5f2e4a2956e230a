import { onAbort } from '@apix/contracts';
import { CronError } from '../errors.js';
import type { JobRuns } from './job-runs.js';
import { type JobStatus, type RunRecord, hasFailed, jobStatusOf } from './job-status.js';
import { Ticker } from './ticker.js';
import { type Timing, describeTiming } from './timing.js';

/**
 * The life of a job, whatever runs its ticks: started, paused, draining and stopped, with the times that it
 * waits for.
 */
export class JobLife {
  readonly runs: JobRuns;
  readonly #description: string;
  readonly #ticker: Ticker;
  /** Cancel the ticks that wait for their jitter. */
  readonly #delayed = new Set<() => void>();
  #session: Session | null = null;
  #isPaused = false;
  #isDraining = false;

  /** @param onDue called when a time has come. */
  constructor(timing: Timing, runs: JobRuns, onDue: (due: Date) => void) {
    this.runs = runs;
    this.#description = describeTiming(timing);
    this.#ticker = new Ticker(runs.name, timing, runs.options.clock, {
      onDue: (due) => onDue(new Date(due)),
      onError: (error) => this.#session?.fail(error),
    });
  }

  get status(): JobStatus {
    return jobStatusOf(this.runs, {
      schedule: this.#description,
      isStarted: this.#session !== null,
      isPaused: this.#isPaused,
      nextRun: this.#ticker.next,
    });
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Whether a tick waits for its jitter. */
  get isDelaying(): boolean {
    return this.#delayed.size > 0;
  }

  /** @throws CronError while it is not started, and once the host drains. */
  startedSession(): Session {
    if (this.#session !== null && !this.#isDraining) return this.#session;
    throw new CronError(`cron: job ${this.runs.name} is not started`);
  }

  /** @throws CronError for a schedule that throws, or that returns anything but a later time. */
  nextTimes(count: number): readonly Date[] {
    return this.#ticker.nextTimes(count);
  }

  /**
   * Lives until the signal aborts and the run under way has ended, or until the session fails,
   * with that failure.
   *
   * @param begin called once it is started; never with a signal that has aborted already.
   * @param end called at the end, however that came; waited for.
   */
  async live(
    signal: AbortSignal,
    begin: (session: Session) => void,
    end: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    if (this.#session !== null) {
      throw new CronError(`cron: job ${this.runs.name} is already started`);
    }
    if (signal.aborted) return;
    const session = new Session(signal);
    this.#session = session;
    this.#isDraining = false;
    try {
      begin(session);
      await session.over;
      this.disarm();
      await this.runs.idle;
    } finally {
      this.disarm();
      await end();
      this.#session = null;
    }
  }

  /**
   * Waits for the real end of a run, and resolves with its record. A failed one ends the session
   * of a job that stops on errors.
   */
  async follow(run: Promise<RunRecord>, session: Session): Promise<RunRecord> {
    const record = await run;
    if (hasFailed(record) && this.runs.options.stopOnError) session.fail(record.error);
    await this.runs.idle;
    return record;
  }

  /** Waits for the next time, unless it does or must not. */
  arm(): void {
    if (this.#session !== null && !this.#isPaused && !this.#isDraining) this.#ticker.arm();
  }

  /** Stops waiting for a time or a jitter. */
  disarm(): void {
    this.#ticker.disarm();
    for (const cancel of this.#delayed) cancel();
    this.#delayed.clear();
  }

  /** Runs `fn` after a jitter, unless it is disarmed meanwhile; at once without a jitter. */
  delay(ms: number, fn: () => void): void {
    if (ms === 0) {
      fn();
      return;
    }
    const cancel = this.runs.options.clock.after(ms, () => {
      this.#delayed.delete(cancel);
      fn();
    });
    this.#delayed.add(cancel);
  }

  beginDrain(): void {
    this.#isDraining = true;
    this.disarm();
  }

  pause(): void {
    this.#isPaused = true;
    this.disarm();
  }

  /** False when it was not paused. */
  resume(): boolean {
    const wasPaused = this.#isPaused;
    this.#isPaused = false;
    return wasPaused;
  }
}

/** From the start of a job to its end: until its signal aborts, or it fails. */
export class Session {
  readonly signal: AbortSignal;
  /** Resolves when the signal has aborted, rejects with the failure. */
  readonly over: Promise<void>;
  #fail: (error: unknown) => void = () => {};

  constructor(signal: AbortSignal) {
    this.signal = signal;
    this.over = new Promise((resolve, reject) => {
      this.#fail = reject;
      onAbort(signal, () => resolve());
    });
  }

  fail(error: unknown): void {
    this.#fail(error);
  }
}
