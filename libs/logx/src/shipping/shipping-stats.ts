/**
 * Why an event was dropped: there was no room for it (`full`), it was logged after the sink was
 * closed (`closed`), there was no time left to send it (`deadline`), or there is nowhere to send it
 * yet (`unready`).
 */
export type DropReason = 'full' | 'closed' | 'deadline' | 'unready';

/**
 * The number of events of a sink in each state. At any moment `logged` is the sum of `sent`, `failed`,
 * `dropped` and `queued`; a sink that also stores events elsewhere has additional figures for that.
 */
export interface ShippingStats {
  /** Events passed to the sink. */
  readonly logged: number;
  /** Events that the destination has accepted. */
  readonly sent: number;
  /** Events that the destination refused, or did not accept after all retries. */
  readonly failed: number;
  /** Events that were given up before they were sent or failed, for one of the reasons in `dropReasons`. */
  readonly dropped: number;
  /** `dropped` by reason. */
  readonly dropReasons: Readonly<Record<DropReason, number>>;
  /** How many times an event was sent again, as far as the sink knows. */
  readonly retried: number;
  /** Events in memory, those being sent included. */
  readonly queued: number;
  /** How long the oldest event has been waiting, in milliseconds; 0 if none is. */
  readonly oldestAgeMs: number;
}
