import type { Clock } from '@apix/contracts';
import { History } from './history.js';
import { LoopDelay } from './loop-delay.js';
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
