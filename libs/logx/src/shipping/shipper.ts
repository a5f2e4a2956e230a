import type { Clock } from '@apix/contracts';
import type { LogEvent } from '../event/log-event.js';
import type { ShippingAccount } from './shipping-account.js';

/** A figure that only one kind of sink has. */
export interface ShippingFigure {
  readonly kind: 'counter' | 'gauge';
  readonly description: string;
  value(): number;
}

/** The parts of a {@link ShippingSink} that its shipper uses. */
export interface ShippingContext {
  readonly account: ShippingAccount;
  /** A clock whose timers keep the process alive: for events being sent. */
  readonly clock: Clock;
  /** A clock whose timers do not: for batches that wait to fill. */
  readonly idleClock: Clock;
  /** Reports a failure to `onError`, prefixed with the names of the package and the target. Never throws. */
  readonly report: (message: string, cause?: unknown) => void;
}

/**
 * Sends the events of a network sink; {@link ShippingSink} does the rest. It must not block, and it must
 * count every event in the account: as `queued` if it accepts it, as dropped if it does not, and in the
 * end as `sent` or `failed`.
 *
 * An error of `write`, `writeBytes` or `emit` is reported, and the event counts as failed: throw only
 * before the event is counted.
 */
export interface Shipper<F extends string = never> {
  /**
   * Receives one encoded event, ending in `"\n"`, and the event itself, unless the line comes from another
   * program. If {@link passesBounds} is true for the event, it must be accepted without any limit.
   */
  write(line: string, event?: LogEvent): void;
  /** The same for a line as bytes, which are reused after the call. Default: `write` is called. */
  writeBytes?(bytes: Buffer, length: number, event?: LogEvent): void;
  /** Receives events that are not encoded; `write` is then only called for lines of other programs. */
  emit?(event: LogEvent): void;
  /** When the oldest event that waits was logged, in milliseconds since the epoch; undefined if none does. */
  readonly since: number | undefined;
  /** Why nothing can be sent at present; undefined if it can. */
  readonly trouble: string | undefined;
  /** Figures in addition to those of all sinks. Default: none. */
  readonly figures?: Readonly<Record<F, ShippingFigure>>;
  /** Resolves when the events logged so far are settled, or when the signal aborts. */
  flush(signal: AbortSignal): Promise<void>;
  /**
   * Sends the events that wait, until the signal aborts, then releases all resources. Called once; events
   * that are still `queued` afterwards are dropped.
   */
  close(signal: AbortSignal): Promise<void>;
  /** Called when the event loop is empty: batches that wait to fill must be sent now. */
  onIdle?(): void;
  /** Called when the process exits: only synchronous work is possible. */
  onExit?(): void;
  /**
   * How many of the queued events are only in memory, and lost when the process exits. Read after `onExit`.
   * Default: all of them.
   */
  readonly volatile?: number;
}
