import type { DropReason } from './shipping-stats.js';

/**
 * The counters of a sink. {@link ShippingSink} counts an event as `logged`; then the shipper counts it as
 * `queued` when it accepts it, and later as `sent`, `failed` or dropped.
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

  /** Counts dropped events, which must not be counted in another state at the same time. */
  drop(events: number, reason: DropReason): void {
    if (events === 0) return;
    this.#dropped[reason] += events;
    this.onDropped(events);
  }

  /** Moves events from `queued` to `sent` and `failed`; after the sink was closed, they are already dropped. */
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
