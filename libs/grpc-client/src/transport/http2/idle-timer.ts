/**
 * Closes a connection that has been without calls for a time. It does not keep the process alive, and uses
 * one timer for any number of calls.
 */
export class IdleTimer {
  readonly #limitMs: number;
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout;
  #isBusy = false;
  #restedAt = performance.now();

  /** @param limitMs how long, in milliseconds; at most what timers of Node take. */
  constructor(limitMs: number, onIdle: () => void) {
    this.#limitMs = limitMs;
    this.#onIdle = onIdle;
    this.#timer = this.#after(limitMs);
  }

  /** There are calls. */
  begin(): void {
    this.#isBusy = true;
  }

  /** There are no calls any more. */
  rest(): void {
    this.#isBusy = false;
    this.#restedAt = performance.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const idleMs = this.#isBusy ? 0 : performance.now() - this.#restedAt;
      if (idleMs >= this.#limitMs) this.#onIdle();
      else this.#timer = this.#after(this.#limitMs - idleMs);
    }, Math.ceil(ms)).unref();
  }
}
