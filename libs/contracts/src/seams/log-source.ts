import { markClass } from '../brand.js';

/** Offered by logx; read by the host page. */
export const LOG_SOURCE = Symbol.for('apix.LogSource');

/** In ascending order: `trace`, `debug`, `info`, `warn`, `error`, `fatal`. */
export type LogRecordLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/**
 * An event of the app's log, redacted as its sinks have it. Do not trust its texts: callers can influence them. They
 * can be long.
 */
export interface LogRecord {
  readonly level: LogRecordLevel;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The name of the logger; null if it has none. */
  readonly logger: string | null;
  readonly message: string;
  /** The text of the error with its causes; null without one. */
  readonly error: string | null;
  /** Null outside of a request. */
  readonly requestId: string | null;
  /** Null outside of a trace. */
  readonly traceId: string | null;
  /** Every other field. The values are JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Receives the events of a log. */
export interface LogFollower {
  /** Events below this level are left out. */
  readonly minLevel: LogRecordLevel;
  /** Whether buffered events are given at any level: those that were kept until their work failed. Default: false. */
  readonly buffered?: boolean | undefined;
  /**
   * Called inside the logging call, for a buffered event when its work has failed. Errors that it throws are reported
   * to the error handler of the logger.
   *
   * @param read the event; only inside the call. An event that is not read costs next to nothing.
   */
  take(level: LogRecordLevel, read: () => LogRecord, isBuffered: boolean): void;
}

/** A minimum level that applies for a while. */
export interface TimedLogLevel {
  /** The name of the logger, which stands for those that continue it after a dot; null: all loggers. */
  readonly logger: string | null;
  readonly level: LogRecordLevel;
  /** When it ends, in milliseconds since the epoch; Infinity: when it is ended. */
  readonly until: number;
}

export interface LogSource {
  readonly [LOG_SOURCE]?: true;
  /**
   * Follows the log from now on; levels are those of the app, and do not change.
   *
   * @returns what ends it.
   */
  follow(follower: LogFollower): () => void;
  /**
   * Changes the minimum level of a logger for a while, in this process, and replaces an earlier change of it; of a
   * source whose levels can be changed. What applied before, or is set meanwhile, applies after it.
   *
   * @param logger null: all loggers.
   * @param level null: ends an earlier change now.
   * @param forMs milliseconds.
   * @throws RangeError for a name that no logger can have.
   */
  changeLevel?(logger: string | null, level: LogRecordLevel | null, forMs: number): void;
  /** What `changeLevel` has changed and still applies. Default: nothing. */
  changedLevels?(): readonly TimedLogLevel[];
}

/** Marks a provider of the app's log for the host page. The same as a property `[LOG_SOURCE] = true`. */
export function LogSource(): ClassDecorator {
  return markClass(LOG_SOURCE);
}
