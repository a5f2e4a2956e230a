import type { Clock } from '@apix/contracts';
import type { LogEvent } from '../event/log-event.js';
import type { ShippingAccount } from './shipping-account.js';

/** A figure of one kind of sink in addition to those of all sinks. */
export interface ShippingFigure {
  readonly kind: 'counter' | 'gauge';
  readonly description: string;
  value(): number;
}

/** The interface of the frame for a shipper. */
export interface ShippingContext {
  readonly account: ShippingAccount;
  /** Its timers keep the process alive: for events being sent. */
  readonly clock: Clock;
  /** Its timers do not: for what only waits for more. */
  readonly idleClock: Clock;
  /** Reports a failure to `onError`, prefixed with the names of the package and the target. Never throws. */
  readonly report: (message: string, cause?: unknown) => void;
}

/**
 * Sends the events of a network sink; the frame around it ({@link ShippingSink}) does the rest. It must not
 * block, and it must count every event in the account: as `queued` if it accepts it, as dropped if it does
 * not, and in the end as `sent` or `failed`.
 *
 * An error of `write`, `writeBytes` or `emit` is reported, and the event counts as failed: throw only
 * before the event is counted.
 */
export interface Shipper<F extends string = never> {
  /**
   * One encoded event, ending in `"\n"`; the event itself comes along, unless the line is from
   * elsewhere. Take it whatever the bounds are where {@link passesBounds} says so.
   */
  write(line: string, event?: LogEvent): void;
  /** The same for a line made as bytes; they are used again after the call. Default: `write` is called. */
  writeBytes?(bytes: Buffer, length: number, event?: LogEvent): void;
  /** Takes events as they are; then nothing is encoded, and `write` is for lines from elsewhere. */
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
   * Sends what waits until the signal aborts, then releases everything. Called once; events that are still
   * `queued` afterwards are dropped.
   */
  close(signal: AbortSignal): Promise<void>;
  /** Called when the process is about to end by itself: what waits for more has to be sent now. */
  onIdle?(): void;
  /** Called when the process exits: only synchronous work is possible. */
  onExit?(): void;
  /**
   * How many of the events that are queued are in memory alone, and lost with the process. Asked
   * after `onExit`. Default: all of them.
   */
  readonly volatile?: number;
}
