import { type Clock, formatDuration } from '@apix/contracts';
import { CronError } from '../errors.js';
import type { RunRecord } from '../job/job-status.js';
import type { TickHandlers, Ticks } from '../replicas/ticks.js';
import { type Claim, type ClaimedRow, JobTable } from './job-table.js';
import { Lease } from './lease.js';
import type { ResolvedPostgresOptions } from './postgres-options.js';

/** A clock that is further ahead of the database's is wrong, and is not waited for. */
const MAX_EARLY_MS = 60_000;

/** A question is asked again after so long: a connection that broke unnoticed is replaced by the pool. */
const RETRY_MS = [50, 250];

/** An attempt to get a run. */
interface ClaimAttempt {
  readonly claim: Claim;
  /** Begins a lease, for a claim that is sent now. */
  readonly lease: () => Lease;
  /** The run begins: it is not given back any more. */
  readonly begin: () => void;
  /** Gives a run back that was got when nobody waited for it any longer. */
  readonly giveBack: (row: ClaimedRow | undefined) => void;
}

/**
 * The ticks of one job, as a row in PostgreSQL. The replica whose claim comes first has the run, for as long
 * as it renews its lease; the others sleep until the lease could be over. Why: docs/decisions/0510
 */
export class PostgresTicks implements Ticks {
  readonly #job: string;
  readonly #handlers: TickHandlers;
  readonly #clock: Clock;
  readonly #options: ResolvedPostgresOptions;
  readonly #table: JobTable;
  /** Claims and runs under way. */
  readonly #pending = new Set<Promise<unknown>>();
  /** Wake what sleeps. */
  readonly #sleeping = new Set<() => void>();
  #cancelWatch: () => void = () => {};
  #isHeld = false;
  #isClosed = false;

  constructor(job: string, handlers: TickHandlers, clock: Clock, options: ResolvedPostgresOptions) {
    this.#job = job;
    this.#handlers = handlers;
    this.#clock = clock;
    this.#options = options;
    this.#table = new JobTable(options.pool, options.table);
  }

  give(scheduled: Date): Promise<boolean> {
    return this.#track(this.#give(scheduled.getTime()));
  }

  async giveFirst(): Promise<void> {
    let backoffMs = 500;
    while (!this.#isHeld) {
      try {
        await this.#track(this.#claimNow());
        return;
      } catch (error) {
        this.#handlers.onTrouble(error);
      }
      await this.#sleep(backoffMs);
      backoffMs = Math.min(2 * backoffMs, 5_000);
    }
  }

  async giveNow(): Promise<RunRecord | null> {
    const begun = await this.#track(this.#claimNow());
    return begun === null ? null : begun.run;
  }

  hold(): void {
    this.#isHeld = true;
    this.#cancelWatch();
    this.#wakeAll();
  }

  take(): void {
    this.#isHeld = this.#isClosed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.hold();
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
  }

  async #give(tick: number): Promise<boolean> {
    const { claim, lease, giveBack, begin } = this.#attempt();
    while (!this.#isHeld) {
      const current = lease();
      const row = await this.#ask(() => this.#table.claimTick(claim, tick), giveBack).catch(
        disposing(current),
      );
      if (row.is_mine && row.run_tick === tick) {
        begin();
        void this.#run(claim, row, current);
        return true;
      }
      current.dispose();
      if (row.early_ms > MAX_EARLY_MS) throw this.#clockError(row.early_ms);
      if (row.early_ms > 0) {
        await this.#sleep(row.early_ms);
        continue;
      }
      if (row.is_stale) this.#watch(this.#options.leaseMs);
      else if (row.is_unfinished) this.#watch(row.ms_left);
      return !row.is_decided;
    }
    return true;
  }

  async #claimNow(): Promise<{ readonly run: Promise<RunRecord> } | null> {
    const { claim, lease, giveBack, begin } = this.#attempt();
    const current = lease();
    const row = await this.#ask(() => this.#table.claimNow(claim), giveBack).catch(
      disposing(current),
    );
    if (row?.is_mine === true) {
      begin();
      return { run: this.#run(claim, row, current) };
    }
    current.dispose();
    this.#watch(row?.is_unfinished === true ? row.ms_left : this.#options.leaseMs);
    return null;
  }

  /** Looks after the run of another replica, when its lease may be over. */
  #watch(ms: number): void {
    this.#cancelWatch();
    if (this.#isHeld || this.#options.maxReruns === 0) return;
    // Some chance, so that not all replicas look at once.
    const delayMs = ms + (Math.random() * this.#options.leaseMs) / 2;
    this.#cancelWatch = this.#clock.after(delayMs, () => void this.#track(this.#takeOver()));
  }

  async #takeOver(): Promise<void> {
    const { maxReruns, leaseMs } = this.#options;
    const { claim, lease, giveBack, begin } = this.#attempt();
    const current = lease();
    try {
      const row = await this.#ask(() => this.#table.claimLost(claim, maxReruns), giveBack);
      if (row?.is_mine === true) {
        begin();
        void this.#run(claim, row, current);
        return;
      }
      const isGivenUp = row?.ms_left === 0 && row.reruns >= maxReruns;
      if (row?.is_unfinished === true && !isGivenUp) this.#watch(row.ms_left || leaseMs);
    } catch (error) {
      this.#handlers.onTrouble(error);
      this.#watch(leaseMs);
    }
    current.dispose();
  }

  #attempt(): ClaimAttempt {
    const { leaseMs } = this.#options;
    const claim: Claim = { job: this.#job, holder: crypto.randomUUID(), leaseMs };
    const renew = (): Promise<boolean> => this.#within(this.#table.renew(claim));
    const onTrouble = (error: unknown): void => this.#handlers.onTrouble(error);
    let isBegun = false;
    return {
      claim,
      lease: () => new Lease({ clock: this.#clock, ms: leaseMs, renew, onTrouble }),
      begin: () => (isBegun = true),
      giveBack: (row) => {
        if (row?.is_mine === true && !isBegun) this.#table.release(claim).catch(onTrouble);
      },
    };
  }

  #run(claim: Claim, row: ClaimedRow, lease: Lease): Promise<RunRecord> {
    if (lease.isOver) {
      // This process was paused before the run could begin.
      lease.dispose();
      this.#watch(0);
      const error = this.#lostError();
      this.#handlers.onTrouble(error);
      const never = Promise.reject(error);
      never.catch(() => {});
      return never;
    }
    lease.keep();
    const scheduled = row.run_tick === null ? null : new Date(row.run_tick);
    const run = this.#handlers.run({ scheduled, fence: row.fence }, lease.signal);
    const settled = this.#settled(run, claim, lease);
    void this.#track(settled);
    return run;
  }

  /** Writes the result of a run, for as long as this replica has it. */
  async #settled(run: Promise<RunRecord>, claim: Claim, lease: Lease): Promise<void> {
    const outcome = await run.then(
      (record) => record.outcome,
      (error: unknown) => {
        this.#handlers.onTrouble(error);
        return 'aborted' as const;
      },
    );
    lease.settle();
    const write = (): Promise<boolean> =>
      outcome === 'aborted' ? this.#table.release(claim) : this.#table.finish(claim, outcome);
    let isWritten: boolean | null = null;
    while (isWritten === null && !lease.signal.aborted) {
      isWritten = await this.#ask(write).catch((error: unknown) => {
        this.#handlers.onTrouble(error);
        return null;
      });
      if (isWritten !== null || this.#isClosed) break;
      await this.#sleep(this.#options.leaseMs / 10);
    }
    lease.dispose();
    const isRefused = isWritten === false || (isWritten === null && lease.signal.aborted);
    if (isRefused && outcome !== 'aborted') this.#handlers.onTrouble(this.#lostError());
  }

  /** @param onLate called with an answer that was no longer waited for. */
  async #ask<T>(question: () => Promise<T>, onLate: (answer: T) => void = () => {}): Promise<T> {
    for (const ms of RETRY_MS) {
      try {
        return await this.#within(question(), onLate);
      } catch (error) {
        if (error instanceof CronError || this.#isClosed) throw error;
      }
      await this.#sleep(ms);
    }
    return this.#within(question(), onLate);
  }

  /** A connection that is dead, and does not say so, would never answer. */
  async #within<T>(answer: Promise<T>, onLate: (answer: T) => void = () => {}): Promise<T> {
    const ms = Math.min(this.#options.leaseMs / 2, 5_000);
    let isLate = false;
    let cancel = (): void => {};
    const late = new Promise<never>((_resolve, reject) => {
      cancel = this.#clock.after(ms, () => {
        isLate = true;
        reject(new Error(`no answer within ${formatDuration(ms)}`));
      });
    });
    const noted = answer.then((value) => {
      if (isLate) onLate(value);
      return value;
    });
    try {
      return await Promise.race([noted, late]);
    } finally {
      cancel();
    }
  }

  #sleep(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        this.#sleeping.delete(wake);
        resolve();
      };
      const cancel = this.#clock.after(ms, wake);
      this.#sleeping.add(wake);
    });
  }

  #wakeAll(): void {
    for (const wake of this.#sleeping) wake();
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
    return tracked;
  }

  #clockError(ms: number): CronError {
    return new CronError(
      `cron: job ${this.#job}: the clock of this replica is ${formatDuration(ms)} ahead of PostgreSQL's, ` +
        `and it runs no ticks; set the clocks by NTP`,
    );
  }

  #lostError(): CronError {
    return new CronError(
      `cron: job ${this.#job}: the result of a run is not recorded because another replica may have taken ` +
        `the run over; a replica must not be silent for longer than rerunAfter`,
    );
  }
}

function disposing(lease: Lease): (error: unknown) => never {
  return (error) => {
    lease.dispose();
    throw error;
  };
}
