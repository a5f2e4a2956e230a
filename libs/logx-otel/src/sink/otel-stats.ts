/** Where every event of a sink is; `logged` is the sum of `sent`, `failed`, `dropped`, `queued`. */
export interface OtelStats {
  readonly logged: number;
  /** Taken by the collector; with a provider of somebody else, given to that. */
  readonly sent: number;
  /** Not taken by the collector, or not translatable. */
  readonly failed: number;
  /** There was no room for them, no time at the end, or no global provider. */
  readonly dropped: number;
  readonly queued: number;
  /** How long the oldest of the queued events waits, in milliseconds; 0 for none. */
  readonly oldestAgeMs: number;
}
