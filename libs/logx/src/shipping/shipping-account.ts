import type { DropReason } from './shipping-stats.js';

/**
 * The counters of a sink. An event is counted as `logged` by the frame; from then on the shipper
 * moves it: to `queued` when it takes it, from there to `sent` or `failed`, or to the dropped.
 */
export class ShippingAccount {
  logged = 0;
  sent = 0;
  failed = 0;
  retried = 0;
  queued = 0;
  readonly #dropped: Record<DropReason, number> = { full: 0, closed: 0, deadline: 0, unready: 0 };
  #isEnded = false;

  /** @param onDropped called for every drop, to report it. */
  constructor(private readonly onDropped: (events: number) => void) {}

  get dropReasons(): Readonly<Record<DropReason, number>> {
    return { ...this.#dropped };
  }

  get dropped(): number {
    return Object.values(this.#dropped).reduce((sum, events) => sum + events, 0);
  }

  /** Events that are not counted as anything else, or not any more. */
  drop(events: number, reason: DropReason): void {
    if (events === 0) return;
    this.#dropped[reason] += events;
    this.onDropped(events);
  }

  /** Moves events from `queued`; once the sink is closed they have been dropped already. */
  settle(sent: number, failed: number): void {
    if (this.#isEnded) return;
    this.sent += sent;
    this.failed += failed;
    this.queued -= sent + failed;
  }

  /** Drops the events that are still queued. */
  end(): void {
    const unsent = this.queued;
    this.queued = 0;
    this.#isEnded = true;
    this.drop(unsent, 'deadline');
  }
}
