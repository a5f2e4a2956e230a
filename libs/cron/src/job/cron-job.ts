import { onAbort, thrownText } from '@apix/contracts';
import { drawChance } from '@apix/contracts/internal';
import type { ServiceContext } from '@apix/hostx/core';
import { CronError } from '../errors.js';
import type { HostedJob } from './hosted-job.js';
import type { JobRuns } from './job-runs.js';
import { type JobStatus, type RunRecord, hasFailed, jobStatusOf } from './job-status.js';
import { Ticker } from './ticker.js';
import { type Timing, describeTiming } from './timing.js';

/** What the ticks of a job lead to: a run in this process, or in one of several. */
export interface JobTicks {
  /** The job is started, with a signal that has not aborted. */
  begin(session: Session): void;
  /** A time has come. */
  tick(due: Date): void;
  /** As {@link HostedJob.trigger}, of a job that is started. */
  trigger(session: Session): Promise<RunRecord | null>;
  /** A pause has ended. */
  resume(): void;
  /** The job is paused or drains. Default: nothing is to be done. */
  hold?(): void;
  /** The job ends, however that came; waited for. Default: nothing is to be done. */
  end?(): Promise<void>;
}

/** A job as a service: started, paused, draining and stopped, with the times that it waits for. */
export class CronJob implements HostedJob {
  readonly name: string;
  readonly runs: JobRuns;
  readonly #description: string;
  readonly #ticker: Ticker;
  readonly #ticks: JobTicks;
  /** Cancel the ticks that wait for their jitter. */
  readonly #delayed = new Set<() => void>();
  #session: Session | null = null;
  #isPaused = false;
  #isDraining = false;

  /** @param ticksOf Default: each tick runs in this process, unless a run is under way. */
  constructor(
    timing: Timing,
    runs: JobRuns,
    ticksOf: (job: CronJob) => JobTicks = (job) => new OwnTicks(job, timing),
  ) {
    this.name = runs.name;
    this.runs = runs;
    this.#description = describeTiming(timing);
    this.#ticks = ticksOf(this);
    this.#ticker = new Ticker(runs.name, timing, runs.options.clock, {
      onDue: (due) => this.#ticks.tick(new Date(due)),
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
    throw new CronError(`cron: job ${this.name} is not started`);
  }

  /** @throws CronError for a schedule that throws, or that returns anything but a later time. */
  nextTimes(count: number): readonly Date[] {
    return this.#ticker.nextTimes(count);
  }

  /**
   * Lives until the signal aborts and the run under way has ended, or until the session fails,
   * with that failure.
   */
  async start(signal: AbortSignal, context?: ServiceContext): Promise<void> {
    this.runs.logTo(context?.log);
    if (this.#session !== null) throw new CronError(`cron: job ${this.name} is already started`);
    if (signal.aborted) return;
    const session = new Session(signal);
    this.#session = session;
    this.#isDraining = false;
    try {
      this.#ticks.begin(session);
      await session.over;
      this.#disarm();
      await this.runs.idle;
    } finally {
      this.#disarm();
      await this.#ticks.end?.();
      this.#session = null;
    }
  }

  beginDrain(): void {
    this.#isDraining = true;
    this.#disarm();
    this.#ticks.hold?.();
  }

  pause(): void {
    this.#isPaused = true;
    this.#disarm();
    this.#ticks.hold?.();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#ticks.resume();
  }

  async trigger(): Promise<RunRecord | null> {
    return this.#ticks.trigger(this.startedSession());
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

  /** Runs `fn` after a jitter, unless the job is paused, drains or ends meanwhile; at once without a jitter. */
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

  /** Stops waiting for a time or a jitter. */
  #disarm(): void {
    this.#ticker.disarm();
    for (const cancel of this.#delayed) cancel();
    this.#delayed.clear();
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

/** Ticks that run in this process, one run at a time. */
class OwnTicks implements JobTicks {
  readonly #job: CronJob;
  readonly #runs: JobRuns;
  readonly #timing: Timing;

  constructor(job: CronJob, timing: Timing) {
    this.#job = job;
    this.#runs = job.runs;
    this.#timing = timing;
  }

  begin(session: Session): void {
    if (this.#runs.options.runImmediately && !this.#job.isPaused) void this.#run(null, session);
    this.resume();
  }

  /** Waits for the next time. That of a schedule is computed when the run under way has ended. */
  resume(): void {
    if (this.#timing.kind === 'every' || !this.#runs.isRunning) this.#job.arm();
  }

  /** Runs after the jitter, unless a run is under way or about to begin. */
  tick(due: Date): void {
    if (this.#job.isDelaying || this.#runs.isRunning) {
      this.#runs.skip();
      return;
    }
    const session = this.#job.startedSession();
    this.#job.delay(this.#jitterOf(due), () => void this.#run(due, session));
  }

  async trigger(session: Session): Promise<RunRecord | null> {
    return this.#run(null, session);
  }

  /** In milliseconds. A source of chance that fails costs the jitter, not the tick. */
  #jitterOf(due: Date): number {
    const { jitter, random } = this.#runs.options;
    if (jitter === 0) return 0;
    try {
      return drawChance(random) * jitter;
    } catch (cause) {
      const text = `cron: job ${this.#job.name}: random: ${thrownText(cause)}`;
      void this.#runs.reportFailure(new CronError(text, { cause }), due);
      return 0;
    }
  }

  #run(scheduled: Date | null, session: Session): Promise<RunRecord> | null {
    const run = this.#runs.run(scheduled, session.signal);
    if (run !== null) void this.#job.follow(run, session).then(() => this.resume());
    return run;
  }
}
