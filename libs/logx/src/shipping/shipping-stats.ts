/**
 * Why an event was dropped: there was no room for it (`full`), it was logged after the sink was
 * closed (`closed`), there was no time left to send it (`deadline`), or there is nowhere to send it
 * yet (`unready`).
 */
export type DropReason = 'full' | 'closed' | 'deadline' | 'unready';

/**
 * Where every event of a sink is. At any moment `logged` is the sum of `sent`, `failed`, `dropped` and
 * `queued`; a sink that also keeps events elsewhere has additional figures for that.
 */
export interface ShippingStats {
  /** Events given to the sink. */
  readonly logged: number;
  /** Events that the other side has accepted. */
  readonly sent: number;
  /** Events that the other side refused, or did not accept however often it was tried. */
  readonly failed: number;
  /** Events that were never tried to the end, for one of the reasons of `dropReasons`. */
  readonly dropped: number;
  /** The parts of `dropped`. */
  readonly dropReasons: Readonly<Record<DropReason, number>>;
  /** How many times an event was sent again, as far as the sink knows. */
  readonly retried: number;
  /** Events in memory, those being sent included. */
  readonly queued: number;
  /** How long the oldest event has been waiting, in milliseconds; 0 if none is. */
  readonly oldestAgeMs: number;
}
