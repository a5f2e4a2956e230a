import { createHash } from 'node:crypto';
import { linkAbort } from '@apix/contracts';
import { CronError } from '../errors.js';
import type { JobRuns } from '../job/job-runs.js';
import { type JobStatus, type RunRecord, statusOf } from '../job/job-status.js';
import type { HostedJob } from '../job/hosted-job.js';
import { Session } from '../job/session.js';
import { Ticker } from '../job/ticker.js';
import { type Timing, describeTiming } from '../job/timing.js';
import type { Schedule } from '../schedule/schedule.js';
import { redisError } from './redis-error.js';
import type { OpenTicks, Ticks } from './ticks.js';

/**
 * A job that several replicas share: each waits for its times and gives them out, and one of them
 * gets the run. Its status is what this replica knows.
 */
export class ReplicatedJob implements HostedJob {
  readonly name: string;
  readonly #description: string;
  readonly #runs: JobRuns;
  readonly #open: OpenTicks;
  readonly #ticker: Ticker;
  /** Cancel the ticks that wait for their jitter. */
  readonly #delayed = new Set<() => void>();
  #session: Session | null = null;
  #ticks: Ticks | null = null;
  #isPaused = false;
  #isDraining = false;
  /** A trouble is told once, until a tick was given out again. */
  #isTroubled = false;

  constructor(timing: Timing, runs: JobRuns, open: OpenTicks) {
    this.name = runs.name;
    this.#description = describeTiming(timing);
    this.#runs = runs;
    this.#open = open;
    const schedule = timing.kind === 'at' ? timing.schedule : alignedEvery(timing.intervalMs);
    this.#ticker = new Ticker(this.name, { kind: 'at', schedule }, runs.options.clock, {
      onDue: (due) => this.#tick(new Date(due)),
      onError: (error) => this.#session?.fail(error),
    });
  }

  get status(): JobStatus {
    return statusOf(this.#runs, {
      schedule: this.#description,
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
    const ticks = this.#open(this.name, {
      run: (scheduled, lost) => this.#run(scheduled, session, lost),
      onTrouble: (error) => this.#trouble(error, null),
    });
    this.#ticks = ticks;
    try {
      if (this.#isPaused) ticks.hold();
      else if (this.#runs.options.runImmediately) void this.#giveFirst(ticks);
      this.#arm();
      await session.over;
    } finally {
      this.#disarm();
      await this.#runs.idle;
      await ticks.close();
      this.#ticks = null;
      this.#session = null;
    }
  }

  beginDrain(): void {
    this.#isDraining = true;
    this.#disarm();
    this.#ticks?.hold();
  }

  /** For this replica alone: the others go on. */
  pause(): void {
    this.#isPaused = true;
    this.#disarm();
    this.#ticks?.hold();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!this.#isDraining) this.#ticks?.take();
    this.#arm();
  }

  /** Runs now, on any of the replicas. */
  async trigger(): Promise<RunRecord | null> {
    if (this.#ticks === null || this.#isDraining) {
      throw new CronError(`cron: job ${this.name} is not started`);
    }
    try {
      return await this.#ticks.giveNow();
    } catch (error) {
      throw redisError(this.name, error);
    }
  }

  #arm(): void {
    if (this.#session !== null && !this.#isPaused && !this.#isDraining) this.#ticker.arm();
  }

  #disarm(): void {
    this.#ticker.disarm();
    for (const cancel of this.#delayed) cancel();
    this.#delayed.clear();
  }

  #tick(due: Date): void {
    this.#arm();
    const { clock, jitterMs } = this.#runs.options;
    if (jitterMs === 0) {
      void this.#give(due);
      return;
    }
    const cancel = clock.after(chanceOf(this.name, due) * jitterMs, () => {
      this.#delayed.delete(cancel);
      void this.#give(due);
    });
    this.#delayed.add(cancel);
  }

  async #give(due: Date): Promise<void> {
    try {
      if ((await this.#ticks?.give(due)) === false) this.#runs.skip();
      this.#isTroubled = false;
    } catch (error) {
      this.#trouble(error, due);
    }
  }

  async #giveFirst(ticks: Ticks): Promise<void> {
    try {
      await ticks.giveFirst();
    } catch (error) {
      // A replica may stop before it was connected.
      if (this.#session?.signal.aborted === false) this.#trouble(error, null);
    }
  }

  #trouble(error: unknown, scheduled: Date | null): void {
    if (this.#isTroubled) return;
    this.#isTroubled = true;
    void this.#runs.tell(redisError(this.name, error), scheduled);
  }

  async #run(scheduled: Date | null, session: Session, lost: AbortSignal): Promise<RunRecord> {
    const either = linkAbort(session.signal, lost);
    try {
      return await this.#runWith(scheduled, session, either.signal);
    } finally {
      either.dispose();
    }
  }

  async #runWith(scheduled: Date | null, session: Session, signal: AbortSignal) {
    const run = this.#runs.run(scheduled, signal);
    if (run === null) {
      throw new CronError(`cron: job ${this.name}: a run that was lost is still under way here`);
    }
    const record = await run;
    const hasFailed = record.outcome === 'failed' || record.outcome === 'timeout';
    if (hasFailed && this.#runs.options.stopOnError) session.fail(record.error);
    await this.#runs.idle;
    return record;
  }
}

/** From 0 up to 1, as if by chance, but the same on all replicas. */
function chanceOf(job: string, due: Date): number {
  const digest = createHash('sha256').update(`${job} ${due.getTime()}`).digest();
  return digest.readUInt32BE() / 2 ** 32;
}

/** An interval whose times all replicas agree on: multiples of it since the epoch. */
function alignedEvery(intervalMs: number): Schedule {
  return {
    isRepeatable: true,
    next: (after) => new Date((Math.floor(after.getTime() / intervalMs) + 1) * intervalMs),
  };
}
