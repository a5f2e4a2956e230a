/** How often to look, in milliseconds. */
const EVERY_MS = 20;

/**
 * How late the event loop comes. Looks by a timer of its own: Node's histogram of it forgets,
 * when it is reset, the delay that is just under way. Does not keep the process alive.
 */
export class LoopDelay {
  #timer: NodeJS.Timeout | null = null;
  #lastLook = 0;
  #delays: number[] = [];

  start(): void {
    this.#lastLook = performance.now();
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** The delays since the last time this was asked, in milliseconds. */
  take(): { readonly medianMs: number; readonly maxMs: number } {
    // A loop that was held until now has not come to look.
    if (this.#timer !== null) this.#look();
    const sorted = this.#delays.toSorted((a, b) => a - b);
    this.#delays = [];
    return { medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0, maxMs: sorted.at(-1) ?? 0 };
  }

  #look(): void {
    const now = performance.now();
    this.#delays.push(Math.max(0, now - this.#lastLook - EVERY_MS));
    this.#lastLook = now;
  }
}
