import type { Clock } from '@apix/contracts';
import { DropCounter } from '@apix/logx/core';
import { eventsText } from './events-text.js';

/** How many different reasons of refused events one report names. */
const MAX_REASONS = 3;

/** Tells whoever listens what is lost and why. Never throws. */
export class Reporter {
  /** Default: nobody. */
  onError: ((error: Error) => void) | undefined;
  readonly #drops: DropCounter;

  constructor(
    private readonly index: string,
    clock: Clock,
  ) {
    this.#drops = new DropCounter(`elasticsearch ${index}`, (error) => this.#tell(error), clock);
  }

  /** Events dropped so far. */
  get drops(): number {
    return this.#drops.total;
  }

  /** Counts events that there was no room for; said once per five seconds. */
  dropped(events: number): void {
    this.#drops.add(events);
  }

  /** Says at once what was dropped. */
  sayDrops(): void {
    this.#drops.say();
  }

  /** Events that the cluster refused, with the reason of each. */
  refused(reasons: readonly string[], events: number): void {
    const counts = new Map<string, number>();
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    const named = [...counts]
      .slice(0, MAX_REASONS)
      .map(([reason, count]) => `${count} × ${reason}`);
    if (counts.size > MAX_REASONS) named.push('…');
    this.say(`${reasons.length} of ${eventsText(events)} refused: ${named.join('; ')}`);
  }

  lost(events: number, why: string, cause?: unknown): void {
    this.say(`${eventsText(events)} ${why}`, cause);
  }

  say(message: string, cause?: unknown): void {
    this.#tell(new Error(`logx-elastic: ${this.index}: ${message}`, { cause }));
  }

  #tell(error: Error): void {
    try {
      this.onError?.(error);
    } catch {
      // A listener that fails must not stop the sink.
    }
  }
}
