import { thrownText } from '@apix/contracts';
import { linkAbort } from '@apix/contracts/internal';
import type { ServiceContext } from '@apix/hostx/core';
import { CronError } from '../errors.js';
import type { HostedJob } from '../job/hosted-job.js';
import { JobLife } from '../job/job-life.js';
import type { JobRuns } from '../job/job-runs.js';
import type { JobStatus, RunRecord } from '../job/job-status.js';
import type { Session } from '../job/session.js';
import { describeTiming, type Timing } from '../job/timing.js';
import type { Schedule } from '../schedule/schedule.js';
import type { OwnedTick, SharedTicks, Ticks } from './ticks.js';

/**
 * A job that several replicas share: each waits for its times and gives them out, and one of them
 * gets the run. Its status is what this replica knows.
 */
export class ReplicatedJob implements HostedJob {
  readonly name: string;
  readonly #runs: JobRuns;
  readonly #life: JobLife;
  readonly #shared: SharedTicks;
  #ticks: Ticks | null = null;
  /** A trouble is reported once, until a tick was given out again. */
  #isTroubled = false;

  constructor(timing: Timing, runs: JobRuns, shared: SharedTicks) {
    this.name = runs.name;
    this.#runs = runs;
    this.#shared = shared;
    this.#life = new JobLife(aligned(timing), runs, (due) => this.#tick(due));
  }

  get status(): JobStatus {
    return this.#life.status;
  }

  nextTimes(count: number): readonly Date[] {
    return this.#life.nextTimes(count);
  }

  start(signal: AbortSignal, context?: ServiceContext): Promise<void> {
    this.#runs.logTo(context?.log);
    return this.#life.live(
      signal,
      (session) => this.#join(session),
      () => this.#leave(),
    );
  }

  beginDrain(): void {
    this.#life.beginDrain();
    this.#ticks?.hold();
  }

  /** For this replica alone: the others continue. */
  pause(): void {
    this.#life.pause();
    this.#ticks?.hold();
  }

  resume(): void {
    if (!this.#life.resume()) return;
    if (!this.#life.isDraining) this.#ticks?.take();
    this.#life.arm();
  }

  /** Runs now, on any of the replicas. */
  async trigger(): Promise<RunRecord | null> {
    this.#life.startedSession();
    try {
      return (await this.#ticks?.giveNow()) ?? null;
    } catch (error) {
      throw this.#errorOf(error);
    }
  }

  #join(session: Session): void {
    const ticks = this.#shared.open(this.name, {
      run: (owned, lost) => this.#run(owned, session, lost),
      onTrouble: (error) => this.#trouble(error, null),
    });
    this.#ticks = ticks;
    if (this.#life.isPaused) ticks.hold();
    else if (this.#runs.options.runImmediately) void this.#giveFirst(ticks, session);
    this.#life.arm();
  }

  async #leave(): Promise<void> {
    await this.#runs.idle;
    await this.#ticks?.close();
    this.#ticks = null;
  }

  #tick(due: Date): void {
    this.#life.arm();
    const jitterMs = chanceOf(this.name, due) * this.#runs.options.jitter;
    this.#life.delay(jitterMs, () => void this.#give(due));
  }

  async #give(due: Date): Promise<void> {
    try {
      if ((await this.#ticks?.give(due)) === false) this.#runs.skip();
      this.#isTroubled = false;
    } catch (error) {
      this.#trouble(error, due);
    }
  }

  async #giveFirst(ticks: Ticks, { signal }: Session): Promise<void> {
    try {
      await ticks.giveFirst();
    } catch (error) {
      // A replica may stop before it was connected.
      if (!signal.aborted) this.#trouble(error, null);
    }
  }

  #trouble(error: unknown, scheduled: Date | null): void {
    if (this.#isTroubled) return;
    this.#isTroubled = true;
    void this.#runs.reportFailure(this.#errorOf(error), scheduled);
  }

  async #run(owned: OwnedTick, session: Session, lost: AbortSignal): Promise<RunRecord> {
    const either = linkAbort(session.signal, lost);
    try {
      const run = this.#runs.run(owned.scheduled, either.signal, owned.fence);
      if (run !== null) return await this.#life.follow(run, session);
      throw new CronError(
        `cron: job ${this.name}: a lost run is still in progress in this process`,
      );
    } finally {
      either.dispose();
    }
  }

  /** What went wrong between the replicas, for the operator. */
  #errorOf(cause: unknown): CronError {
    if (cause instanceof CronError) return cause;
    const { server, unreachable } = this.#shared;
    const text = textOf(cause);
    const message = unreachable.test(text)
      ? `${server} is unreachable, and no replica runs the job until it is reachable again: ${text}`
      : `${server}: ${text}`;
    return new CronError(`cron: job ${this.name}: ${message}`, { cause });
  }
}

/** From 0 up to 1, as if by chance, but the same on all replicas. */
function chanceOf(job: string, due: Date): number {
  const digest = process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(`${job} ${due.getTime()}`)
    .digest();
  return digest.readUInt32BE() / 2 ** 32;
}

/** The same timing, an interval at times on which all replicas agree: its multiples since the epoch. */
function aligned(timing: Timing): Timing {
  if (timing.kind === 'at') return timing;
  const { intervalMs } = timing;
  const schedule: Schedule = {
    description: describeTiming(timing),
    isRepeatable: true,
    next: (after) => new Date((Math.floor(after.getTime() / intervalMs) + 1) * intervalMs),
  };
  return { kind: 'at', schedule };
}

/** A refused connection to several addresses has no message. */
function textOf(error: unknown): string {
  const causes = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [error];
  return [...new Set(causes.map(thrownText))].join(', ');
}
