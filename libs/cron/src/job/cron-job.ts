import type { Service } from '@apix/hostx/core';
import { CronError } from '../errors.js';
import { ADJUSTMENT_MS, CORRECTION_MS, atWallTime } from '../schedule/wall-timer.js';
import type { JobControl } from './job-control.js';
import type { JobRuns } from './job-runs.js';
import type { JobState, JobStatus, RunRecord } from './job-status.js';
import { type Timing, describeTiming } from './timing.js';

/** What a session of a job is until its signal aborts, or it fails. */
interface Session {
  readonly signal: AbortSignal;
  readonly fail: (error: unknown) => void;
}

/** A job as a service: waits for its times, and runs its work one run at a time. */
export class CronJob implements Service, JobControl {
  readonly name: string;
  readonly #timing: Timing;
  readonly #runs: JobRuns;
  #session: Session | null = null;
  #isPaused = false;
  #isDraining = false;
  #cancelTick: (() => void) | null = null;
  #cancelJitter: (() => void) | null = null;
  /** When it is due next; null while that is not known. */
  #next: number | null = null;
  /** The latest time of the schedule that was told. */
  #lastDue: number | null = null;

  constructor(timing: Timing, runs: JobRuns) {
    this.name = runs.name;
    this.#timing = timing;
    this.#runs = runs;
  }

  get status(): JobStatus {
    const { lastRun, counts, skipped } = this.#runs;
    return {
      name: this.name,
      schedule: describeTiming(this.#timing),
      state: this.#state,
      nextRun: this.#next === null ? null : new Date(this.#next),
      lastRun,
      runs: counts,
      skipped,
    };
  }

  /** Runs until the signal aborts, and then until the run under way has ended. */
  async start(signal: AbortSignal): Promise<void> {
    if (this.#session !== null) throw new CronError(`cron: job ${this.name} runs already`);
    let fail = (_error: unknown): void => {};
    let stop = (): void => {};
    const over = new Promise<void>((resolve, reject) => {
      fail = reject;
      stop = resolve;
    });
    this.#session = { signal, fail };
    this.#isDraining = false;
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      if (!signal.aborted) {
        if (this.#runs.options.runImmediately && !this.#isPaused) void this.#run(null);
        this.#arm();
      }
      await over;
      this.#disarm();
      await this.#runs.idle;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#disarm();
      this.#session = null;
    }
  }

  /** The host is about to stop: no further run begins, and the one under way goes on. */
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

  trigger(): Promise<RunRecord> | null {
    if (this.#session === null || this.#isDraining) {
      throw new CronError(`cron: job ${this.name} is not started`);
    }
    return this.#run(null);
  }

  get #state(): JobState {
    if (this.#runs.isRunning) return 'running';
    if (this.#session === null) return 'stopped';
    return this.#isPaused ? 'paused' : 'waiting';
  }

  get #isArmable(): boolean {
    return this.#session !== null && !this.#isPaused && !this.#isDraining;
  }

  /** Waits for the next time, unless it does already. */
  #arm(): void {
    if (!this.#isArmable || this.#cancelTick !== null) return;
    if (this.#timing.kind === 'every') this.#armEvery(this.#timing.intervalMs);
    else if (!this.#runs.isRunning) this.#armAt();
  }

  #armEvery(intervalMs: number): void {
    const { clock } = this.#runs.options;
    const due = clock.now() + intervalMs;
    this.#next = due;
    this.#cancelTick = clock.after(intervalMs, () => {
      this.#cancelTick = null;
      this.#arm();
      this.#tick(due);
    });
  }

  #armAt(): void {
    let due: number | null;
    try {
      due = this.#dueAfter(this.#runs.options.clock.now());
    } catch (error) {
      this.#session?.fail(error);
      return;
    }
    this.#next = due;
    if (due === null) return;
    const told = (what: () => void) => (): void => {
      this.#cancelTick = null;
      this.#next = null;
      what();
    };
    this.#cancelTick = atWallTime({
      clock: this.#runs.options.clock,
      due,
      setBackMs: this.#setBackMs,
      onDue: told(() => {
        this.#lastDue = due;
        this.#tick(due);
      }),
      onCorrected: told(() => this.#arm()),
    });
  }

  /** By how much the clock may be set back without a time being told again. */
  get #setBackMs(): number {
    const isRepeatable = this.#timing.kind === 'at' && this.#timing.schedule.isRepeatable === true;
    return isRepeatable ? ADJUSTMENT_MS : CORRECTION_MS;
  }

  /** The next time of the schedule, after the present and after the time that was told last. */
  #dueAfter(now: number): number | null {
    const { kind } = this.#timing;
    if (kind !== 'at') return null;
    const last = this.#lastDue;
    const base = last !== null && last > now && last - now <= this.#setBackMs ? last : now;
    const next = this.#timing.schedule.next(new Date(base));
    if (next === null) return null;
    const due = next.getTime();
    if (due > base) return due;
    const shown = Number.isNaN(due) ? 'no time' : next.toISOString();
    throw new CronError(
      `cron: job ${this.name}: its schedule gave ${shown} as the time after ${new Date(base).toISOString()}`,
    );
  }

  /** A time has come: runs after the jitter, unless a run is under way or about to begin. */
  #tick(due: number): void {
    if (this.#cancelJitter !== null || this.#runs.isRunning) {
      this.#runs.skip();
      return;
    }
    const { clock, jitterMs, random } = this.#runs.options;
    if (jitterMs === 0) {
      void this.#run(new Date(due));
      return;
    }
    this.#cancelJitter = clock.after(random() * jitterMs, () => {
      this.#cancelJitter = null;
      void this.#run(new Date(due));
    });
  }

  #run(scheduled: Date | null): Promise<RunRecord> | null {
    const session = this.#session!;
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
    this.#cancelTick?.();
    this.#cancelJitter?.();
    this.#cancelTick = null;
    this.#cancelJitter = null;
    this.#next = null;
  }
}
