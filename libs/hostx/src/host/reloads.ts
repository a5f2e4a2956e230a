import { deadlineAfter } from '@apix/contracts';
import { linkAbort } from '@apix/contracts/internal';
import { HostError, errorIn, joinErrors } from '../errors.js';
import type { Notify } from '../observer.js';
import { byDeadline, outcomeOf } from '../outcome.js';
import type { HostPlan } from './host-plan.js';

/** Runs the reload hooks, one reload after the other, and none once `stop` has aborted. */
export class Reloads {
  readonly #plan: HostPlan;
  readonly #notify: Notify;
  readonly #stop: AbortSignal;
  #last: Promise<void> = Promise.resolve();

  constructor(plan: HostPlan, notify: Notify, stop: AbortSignal) {
    this.#plan = plan;
    this.#notify = notify;
    this.#stop = stop;
  }

  /** @param isRunning resolves once the host has started, with whether it runs. */
  add(isRunning: () => Promise<boolean>): Promise<void> {
    const mine = this.#after(this.#last, isRunning);
    // A failed reload concerns its caller, and must not end the queue or the process.
    this.#last = mine.catch(() => {});
    return mine;
  }

  async #after(last: Promise<void>, isRunning: () => Promise<boolean>): Promise<void> {
    await last;
    if (await isRunning()) await this.#reload();
  }

  async #reload(): Promise<void> {
    const { clock, onReload } = this.#plan;
    const begun = clock.now();
    const errors: Error[] = [];
    const done: string[] = [];
    for (const hook of onReload) {
      if (this.#stop.aborted) break;
      const error = await this.#run(`reload hook ${hook.name}`, hook.run);
      if (error === null) done.push(hook.name);
      else errors.push(error);
    }
    // What the stop cuts off has not been read.
    if (this.#stop.aborted && errors.length === 0) return;
    this.#notify('reloadDone', { durationMs: clock.now() - begun, errors, done });
    const error = joinErrors(errors);
    if (error !== null) throw error;
  }

  async #run(who: string, run: (signal: AbortSignal) => unknown): Promise<Error | null> {
    const { clock, reloadTimeoutMs } = this.#plan;
    const limit = deadlineAfter(reloadTimeoutMs, clock);
    const over = linkAbort(this.#stop, limit.signal);
    const { signal } = over;
    const work = outcomeOf(() => run(signal));
    const outcome = await byDeadline(work, { signal, remainingMs: () => limit.remainingMs() });
    over.dispose();
    limit.dispose();
    if (outcome === null) {
      if (this.#stop.aborted) return null;
      return new HostError(
        `hostx: ${who}: did not finish within the reload timeout of ${reloadTimeoutMs} ms; abandoned`,
      );
    }
    return outcome.ok ? null : errorIn(who, outcome.error);
  }
}
