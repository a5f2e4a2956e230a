import type { Clock } from '@apix/contracts';
import { History } from './history.js';
import type { Sample } from './page-view.js';

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

  start(): void {
    this.#delay.start();
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

/** The interval between measurements, in milliseconds. */
const EVERY_MS = 20;

/**
 * Measures the delay of the event loop with its own timer: a reset of Node's histogram
 * drops the delay that is in progress. Does not keep the process alive.
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

  /** The delays since the last call, in milliseconds. */
  take(): { readonly medianMs: number; readonly maxMs: number } {
    // The timer has not fired yet if the loop was blocked until now.
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
