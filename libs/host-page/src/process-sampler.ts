import type { Clock } from '@apix/contracts';
import { History } from './history.js';
import type { Sample } from './page-view.js';

/** The interval between looks at the event loop while somebody looks at the page, in milliseconds. */
const WATCHED_EVERY_MS = 20;
/** The same while nobody does. Each look wakes the process up, which at 20 ms costs 0.2 % of a core. */
const UNWATCHED_EVERY_MS = 100;

/** Takes samples of the memory and of the delay of the event loop, as long as it is started. */
export class ProcessSampler {
  readonly history: History<Sample>;
  readonly #delay = new LoopDelay();

  constructor(
    capacity: number,
    private readonly clock: Clock,
  ) {
    this.history = new History(capacity);
  }

  /** Looks at the event loop from now on, more often while somebody looks at the page. */
  start(isWatched: boolean): void {
    this.#delay.start(isWatched ? WATCHED_EVERY_MS : UNWATCHED_EVERY_MS);
  }

  stop(): void {
    this.#delay.stop();
  }

  take(): void {
    const { rss, heapUsed } = process.memoryUsage();
    const { medianMs, maxMs } = this.#delay.take();
    this.history.add({
      at: this.clock.now(),
      rss,
      heapUsed,
      delayMedianMs: medianMs,
      delayMaxMs: maxMs,
    });
  }
}

/**
 * Measures the delay of the event loop with its own timer: a reset of Node's histogram
 * drops the delay that is in progress. Does not keep the process alive.
 */
export class LoopDelay {
  #timer: NodeJS.Timeout | null = null;
  #everyMs = 0;
  /** Up to when it was measured, or when the timer is due. */
  #dueAt = 0;
  #delays: number[] = [];

  /** Measures at this interval, in milliseconds, from now on. */
  start(everyMs: number): void {
    if (this.#timer !== null && everyMs === this.#everyMs) return;
    this.#lookEarly();
    this.stop();
    this.#everyMs = everyMs;
    this.#dueAt = performance.now() + everyMs;
    this.#timer = setInterval(() => this.#look(), everyMs);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** The delays since the last call, in milliseconds; 0 without any. */
  take(): { readonly medianMs: number; readonly maxMs: number } {
    this.#lookEarly();
    const sorted = this.#delays.toSorted((a, b) => a - b);
    this.#delays = [];
    return { medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0, maxMs: sorted.at(-1) ?? 0 };
  }

  #look(): void {
    const now = performance.now();
    this.#delays.push(Math.max(0, now - this.#dueAt));
    this.#dueAt = now + this.#everyMs;
  }

  /** The timer has not fired yet if the loop was blocked until now. */
  #lookEarly(): void {
    const now = performance.now();
    if (this.#timer === null || now <= this.#dueAt) return;
    this.#delays.push(now - this.#dueAt);
    this.#dueAt = now;
  }
}
