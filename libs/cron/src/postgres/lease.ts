import type { Clock } from '@apix/contracts';

export interface LeaseOptions {
  readonly clock: Clock;
  readonly ms: number;
  /** Extends it in the database; false if it is over there. */
  readonly renew: () => Promise<boolean>;
  /** Called with the errors of renewals. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * The time in which a replica may act as the one that has a run. It is counted from before each question to
 * the database, so that it is over here before it is over there.
 */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #lost = new AbortController();
  #cancelEnd: () => void;
  #cancelRenewal: () => void = () => {};
  #isKept = false;
  /** By a clock that no one sets. */
  readonly #begun = performance.now();

  /** Begins with the claim that is about to be sent. */
  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#cancelEnd = this.#end();
  }

  /** Aborts when another replica may have taken the run over. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Whether it was over before it was kept, as in a process that was paused: an answer that had arrived by then is
   * read before any timer.
   */
  get isOver(): boolean {
    return this.#lost.signal.aborted || performance.now() - this.#begun >= this.#options.ms;
  }

  /** Renews it from now on. */
  keep(): void {
    this.#isKept = true;
    this.#cancelRenewal = this.#options.clock.after(this.#options.ms / 3, () => void this.#renew());
  }

  /** Renews it no longer; it still ends. */
  settle(): void {
    this.#isKept = false;
    this.#cancelRenewal();
  }

  dispose(): void {
    this.settle();
    this.#cancelEnd();
  }

  async #renew(): Promise<void> {
    const cancelEnd = this.#end();
    const isRenewed = await this.#options.renew().catch((error: unknown) => {
      this.#options.onTrouble(error);
      return null;
    });
    if (!this.#isKept || isRenewed !== true) cancelEnd();
    if (!this.#isKept || this.#lost.signal.aborted) return;
    if (isRenewed === false) {
      this.#lose();
      return;
    }
    if (isRenewed === true) {
      this.#cancelEnd();
      this.#cancelEnd = cancelEnd;
    }
    this.keep();
  }

  #end(): () => void {
    return this.#options.clock.after(this.#options.ms, () => this.#lose());
  }

  #lose(): void {
    this.dispose();
    this.#lost.abort(new Error('another replica may have taken the run over'));
  }
}
