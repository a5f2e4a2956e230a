import { type Duration, OptionsError, pause, thrownText } from '@apix/contracts';
import {
  callable,
  checkedOptions,
  DURATION,
  duration,
  type OptionTable,
  type ReadOptions,
  required,
  wholeNumber,
  withDefault,
  linkAbort,
  orAborted,
} from '@apix/contracts/internal';
import type { LogEvent } from '../event/log-event.js';
import { BoundedQueue } from '../sinks/bounded-queue.js';
import { passesBounds } from '../sinks/passes-bounds.js';
import { retryDelay as backoff } from './retry-delay.js';
import type { Shipper, ShippingContext } from './shipper.js';
import { eventsText } from './shipping-reporter.js';

/** The result of a batch that the destination has answered. */
export interface BatchResult {
  /** How many of its events the destination refused; they are not sent again. */
  readonly refused: number;
  /** Why they were refused, for the error report. */
  readonly reason: string;
}

export interface BatchShipperOptions {
  /**
   * Sends lines, each ending in `"\n"`. Resolves to undefined when all of them were accepted; if it rejects,
   * the batch is sent again. The signal aborts after the timeout, or when the sink must close.
   */
  readonly send: (lines: readonly string[], signal: AbortSignal) => Promise<BatchResult | void>;
  /** Maximum number of events in a batch. Default: 500. */
  readonly batchSize?: number | undefined;
  /** How long an event waits at most for its batch to fill. Default: `'5s'`. */
  readonly flushInterval?: Duration | undefined;
  /** Maximum number of events that wait, without those of the batch being sent. Default: 10000. */
  readonly queueSize?: number | undefined;
  /** Maximum number of characters of these events. Default: 33554432. */
  readonly queueBytes?: number | undefined;
  /** How often a batch is sent again. Default: 3. */
  readonly maxRetries?: number | undefined;
  /** The pause before the first repetition; doubled each time up to 10 s, minus up to half of it. Default: `'500ms'`. */
  readonly retryDelay?: Duration | undefined;
  /** How long `send` may take. Default: `'30s'`. */
  readonly timeout?: Duration | undefined;
}

interface Waiting {
  readonly line: string;
  readonly since: number;
}

/**
 * A complete shipper, for `ship` of a {@link ShippingSink}: events wait in a bounded queue and are
 * sent in batches, one at a time and in order.
 *
 * @throws OptionsError that lists every mistake.
 */
export function batchShipper(options: BatchShipperOptions): (context: ShippingContext) => Shipper {
  const settings = checkedOptions(
    BATCH_SHIPPER_OPTIONS,
    options,
    (found) => new OptionsError('logx: batchShipper', found),
  );
  return (context) => new BatchShipper(settings, context);
}

const COUNT = wholeNumber({ min: 1 });
const TIME = duration({ min: 1 });

const BATCH_SHIPPER_OPTIONS = {
  send: required<BatchShipperOptions['send']>(callable(), async () => {}),
  batchSize: withDefault(COUNT, 500),
  flushInterval: withDefault(TIME, 5_000),
  queueSize: withDefault(COUNT, 10_000),
  queueBytes: withDefault(COUNT, 2 ** 25),
  maxRetries: withDefault(wholeNumber({ min: 0 }), 3),
  retryDelay: withDefault(DURATION, 500),
  timeout: withDefault(TIME, 30_000),
} satisfies OptionTable<BatchShipperOptions>;

type BatchSettings = ReadOptions<typeof BATCH_SHIPPER_OPTIONS>;

class BatchShipper implements Shipper {
  trouble: string | undefined;
  readonly #queue: BoundedQueue<Waiting>;
  readonly #closed = new AbortController();
  #taken = 0;
  #settled = 0;
  #underWaySince: number | undefined;
  #current: Promise<void> | undefined;
  #isPumping = false;
  #cancelFlush: (() => void) | undefined;

  constructor(
    private readonly settings: BatchSettings,
    private readonly context: ShippingContext,
  ) {
    this.#queue = new BoundedQueue(settings.queueSize, settings.queueBytes);
  }

  get since(): number | undefined {
    return this.#underWaySince ?? this.#queue.first?.since;
  }

  write(line: string, event?: LogEvent): void {
    const { account, clock, idleClock } = this.context;
    const waiting = { line, since: clock.now() };
    if (passesBounds(event)) {
      this.#queue.add(waiting, line.length);
    } else if (!this.#queue.push(waiting, line.length)) {
      account.drop(1, 'full');
      return;
    }
    account.queued++;
    this.#taken++;
    if (this.#queue.length >= this.settings.batchSize) this.#sendAll();
    else this.#cancelFlush ??= idleClock.after(this.settings.flushInterval, this.#sendAll);
  }

  async flush(signal: AbortSignal): Promise<void> {
    const target = this.#taken;
    while (this.#settled < target && !signal.aborted) {
      await orAborted(this.#sendNext(), signal).catch(() => {});
    }
  }

  async close(signal: AbortSignal): Promise<void> {
    await this.flush(signal);
    this.#cancelFlush?.();
    this.#closed.abort(new Error('the sink is closed'));
    await this.#current;
    this.#queue.clear();
  }

  onIdle(): void {
    this.#sendAll();
  }

  readonly #sendAll = (): void => {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (!this.#isPumping) void this.#pump();
  };

  async #pump(): Promise<void> {
    this.#isPumping = true;
    while (this.#queue.length > 0 && !this.#closed.signal.aborted) await this.#sendNext();
    this.#isPumping = false;
  }

  /** One batch at a time; never rejects. */
  #sendNext(): Promise<void> {
    return (this.#current ??= this.#sendBatch().finally(() => (this.#current = undefined)));
  }

  async #sendBatch(): Promise<void> {
    const lines: string[] = [];
    this.#underWaySince = this.#queue.first?.since;
    while (lines.length < this.settings.batchSize) {
      const waiting = this.#queue.shift();
      if (waiting === undefined) break;
      lines.push(waiting.line);
    }
    if (lines.length > 0) await this.#deliver(lines);
    this.#settled += lines.length;
    this.#underWaySince = undefined;
  }

  async #deliver(lines: readonly string[]): Promise<void> {
    const { account, clock, report } = this.context;
    const { maxRetries, retryDelay } = this.settings;
    const { signal } = this.#closed;
    for (let retries = 0; ; retries++) {
      try {
        this.#book(lines.length, await this.#attempt(lines));
        return;
      } catch (error) {
        // Events that are queued when the sink is closed are dropped by ShippingSink.
        if (signal.aborted) return;
        this.trouble = thrownText(error);
        if (retries >= maxRetries) {
          account.settle(0, lines.length);
          report(`${eventsText(lines.length)} not sent: ${this.trouble}`, error);
          return;
        }
      }
      await pause(backoff(retries + 1, retryDelay), signal, clock);
      if (signal.aborted) return;
      account.retried += lines.length;
    }
  }

  async #attempt(lines: readonly string[]): Promise<BatchResult | void> {
    const { send, timeout } = this.settings;
    const linked = linkAbort(this.#closed.signal);
    const cancel = this.context.clock.after(timeout, () =>
      linked.abort(new Error(`no answer within ${timeout} ms`)),
    );
    try {
      return await orAborted(send(lines, linked.signal), linked.signal);
    } finally {
      cancel();
      linked.dispose();
    }
  }

  #book(count: number, result: BatchResult | void): void {
    const refused = Math.min(count, Math.max(0, Math.trunc(result?.refused ?? 0) || 0));
    this.context.account.settle(count - refused, refused);
    this.trouble = refused === count ? result!.reason : undefined;
    if (refused > 0) {
      this.context.report(`${refused} of ${eventsText(count)} refused: ${result!.reason}`);
    }
  }
}
