import { thrownText } from '@apix/contracts';
import { drawChance } from '@apix/contracts/internal';
import type { ServiceContext } from '@apix/hostx/core';
import { CronError } from '../errors.js';
import type { HostedJob } from './hosted-job.js';
import { JobLife, type Session } from './job-life.js';
import type { JobRuns } from './job-runs.js';
import type { JobStatus, RunRecord } from './job-status.js';
import type { Timing } from './timing.js';

/** A job as a service: waits for its times, and runs its work one run at a time. */
export class CronJob implements HostedJob {
  readonly name: string;
  readonly #timing: Timing;
  readonly #runs: JobRuns;
  readonly #life: JobLife;

  constructor(timing: Timing, runs: JobRuns) {
    this.name = runs.name;
    this.#timing = timing;
    this.#runs = runs;
    this.#life = new JobLife(timing, runs, (due) => this.#tick(due));
  }

  get status(): JobStatus {
    return this.#life.status;
  }

  nextTimes(count: number): readonly Date[] {
    return this.#life.nextTimes(count);
  }

  start(signal: AbortSignal, context?: ServiceContext): Promise<void> {
    this.#runs.logTo(context?.log);
    return this.#life.live(signal, (session) => {
      if (this.#runs.options.runImmediately && !this.#life.isPaused) void this.#run(null, session);
      this.#arm();
    });
  }

  beginDrain(): void {
    this.#life.beginDrain();
  }

  pause(): void {
    this.#life.pause();
  }

  resume(): void {
    if (this.#life.resume()) this.#arm();
  }

  async trigger(): Promise<RunRecord | null> {
    return this.#run(null, this.#life.startedSession());
  }

  /** Waits for the next time. That of a schedule is computed when the run under way has ended. */
  #arm(): void {
    if (this.#timing.kind === 'every' || !this.#runs.isRunning) this.#life.arm();
  }

  /** A time has come: runs after the jitter, unless a run is under way or about to begin. */
  #tick(due: Date): void {
    if (this.#life.isDelaying || this.#runs.isRunning) {
      this.#runs.skip();
      return;
    }
    const session = this.#life.startedSession();
    this.#life.delay(this.#jitterOf(due), () => void this.#run(due, session));
  }

  /** In milliseconds. A source of chance that fails costs the jitter, not the tick. */
  #jitterOf(due: Date): number {
    const { jitter, random } = this.#runs.options;
    if (jitter === 0) return 0;
    try {
      return drawChance(random) * jitter;
    } catch (cause) {
      const text = `cron: job ${this.name}: random: ${thrownText(cause)}`;
      void this.#runs.reportFailure(new CronError(text, { cause }), due);
      return 0;
    }
  }

  #run(scheduled: Date | null, session: Session): Promise<RunRecord> | null {
    const run = this.#runs.run(scheduled, session.signal);
    if (run !== null) void this.#life.follow(run, session).then(() => this.#arm());
    return run;
  }
}
