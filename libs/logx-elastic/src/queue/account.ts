/**
 * Where every event is. At any moment `logged + recovered` is the sum of `sent`, `failed`,
 * `dropped`, `queued` and `spooled`.
 */
export interface ElasticStats {
  /** Events that were given to the sink. */
  readonly logged: number;
  /** Events that an earlier process left in the spool. */
  readonly recovered: number;
  /** Events that Elasticsearch took. */
  readonly sent: number;
  /** Events that Elasticsearch refused, or that it did not take however often it was tried. */
  readonly failed: number;
  /** Events that there was no room for, or no time at the end. */
  readonly dropped: number;
  /** Events in memory, those under way included. */
  readonly queued: number;
  /** Events that are on disk alone. */
  readonly spooled: number;
  /** How long the oldest event waits, in milliseconds; 0 when none does. */
  readonly oldestAgeMs: number;
}

/** The counters behind {@link ElasticStats}. An event moves from one to another, never into two. */
export class Account implements Omit<ElasticStats, 'dropped' | 'oldestAgeMs'> {
  logged = 0;
  recovered = 0;
  sent = 0;
  failed = 0;
  queued = 0;
  spooled = 0;
  /** Bytes of the events in memory, action lines included. */
  queuedBytes = 0;
  /** Events in memory that are not on disk as well, and their bytes. */
  volatile = 0;
  volatileBytes = 0;
}
