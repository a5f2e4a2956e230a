import type { Clock } from '@apix/contracts';
import { DropCounter } from '../sinks/drop-counter.js';

/** Reports lost events, with the reason. Never throws. */
export class ShippingReporter {
  readonly #drops: DropCounter;

  constructor(
    /** The prefix of every message. */
    private readonly subject: string,
    /** Default: the error handler of the first logger. */
    public onError: ((error: Error) => void) | undefined,
    clock: Clock,
  ) {
    this.#drops = new DropCounter(
      (events, total) => this.report(`dropped ${eventsText(events)} (${total} in total)`),
      clock,
    );
  }

  /** Counts dropped events; reported at most once per five seconds. */
  dropped(events: number): void {
    this.#drops.add(events);
  }

  /** Reports the drops that have not been reported yet. */
  reportDrops(): void {
    this.#drops.report();
  }

  report(message: string, cause?: unknown): void {
    try {
      this.onError?.(this.errorOf(message, cause));
    } catch {
      // A listener that fails must not stop the sink.
    }
  }

  errorOf(message: string, cause?: unknown): Error {
    return new Error(`${this.subject}: ${message}`, cause === undefined ? {} : { cause });
  }
}

/** `1 event`, `2 events`. */
export function eventsText(count: number): string {
  return `${count} ${count === 1 ? 'event' : 'events'}`;
}
