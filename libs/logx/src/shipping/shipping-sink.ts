import {
  type Clock,
  type Deadline,
  deadlineAfter,
  type HealthCheck,
  HealthSource,
  type MetricReading,
  MetricSource,
  systemClock,
  thrownText,
} from '@apix/contracts';
import { linkAbort } from '@apix/contracts/internal';
import type { LogEvent } from '../event/log-event.js';
import { customSink } from '../sinks/custom-sink.js';
import { flushAtExit } from '../sinks/exit-flush.js';
import { idleClock } from '../sinks/idle-clock.js';
import type { Format, Sink, SinkContext, SinkSpec } from '../sinks/sink.js';
import type { SinkOptions } from '../sinks/sink-options.js';
import type { Shipper, ShippingFigure } from './shipper.js';
import { ShippingAccount } from './shipping-account.js';
import { readShippingOptions, type ShippingSinkOptions } from './shipping-options.js';
import { shippingReadings } from './shipping-readings.js';
import { eventsText, ShippingReporter } from './shipping-reporter.js';
import type { ShippingStats } from './shipping-stats.js';

/** The limit of `flush` and `close` without a deadline, in milliseconds. */
const DEFAULT_LIMIT_MS = 10_000;

/**
 * The common part of sinks that send events over a network: it is opened and closed once, however many
 * loggers share it, flushes within a deadline, and counts every event by its state, with stats, metrics
 * and a health check. It is a sink and its own spec: `createLogger({ sinks: [sink] })`. It is closed with
 * the last logger that uses it.
 */
@MetricSource()
@HealthSource()
// Why: docs/decisions/0049
export class ShippingSink<F extends string = never>
  implements Sink, SinkSpec, MetricSource, HealthSource
{
  readonly kind: string;
  readonly format: Format;
  readonly minLevel?: NonNullable<SinkOptions['minLevel']>;
  readonly maxLevel?: NonNullable<SinkOptions['maxLevel']>;
  readonly timeFormat?: NonNullable<SinkOptions['timeFormat']>;
  readonly timeFormats?: NonNullable<SinkSpec['timeFormats']>;
  /** Absent if the shipper has no such method; so is `emit`. */
  readonly writeBytes?: (bytes: Buffer, length: number, event?: LogEvent) => void;
  readonly emit?: (event: LogEvent) => void;
  readonly #account: ShippingAccount;
  readonly #report: ShippingReporter;
  readonly #shipper: Shipper<F>;
  readonly #clock: Clock;
  readonly #leaveExit: () => void;
  #users = 0;
  #closing: Promise<void> | undefined;

  constructor(private readonly options: ShippingSinkOptions<F>) {
    const { minLevel, maxLevel, timeFormat } = readShippingOptions(options);
    const { packageName, target } = options;
    this.kind = options.kind;
    this.format = options.format ?? 'json';
    if (minLevel !== undefined) this.minLevel = minLevel;
    if (maxLevel !== undefined) this.maxLevel = maxLevel;
    if (timeFormat !== undefined) this.timeFormat = timeFormat;
    if (options.timeFormats !== undefined) this.timeFormats = options.timeFormats;
    this.#clock = options.clock ?? systemClock;
    const waiting = options.clock ?? idleClock;
    this.#report = new ShippingReporter(`${packageName}: ${target}`, options.onError, waiting);
    this.#account = new ShippingAccount((events) => this.#report.dropped(events));
    const shipper = options.ship({
      account: this.#account,
      clock: this.#clock,
      idleClock: waiting,
      report: (message, cause) => this.#report.report(message, cause),
    });
    this.#shipper = shipper;
    if (shipper.writeBytes) {
      this.writeBytes = (bytes, length, event) =>
        this.#give(() => shipper.writeBytes!(bytes, length, event));
    }
    if (shipper.emit) this.emit = (event) => this.#give(() => shipper.emit!(event));
    process.on('beforeExit', this.#onIdle);
    this.#leaveExit = flushAtExit({ flushSync: () => this.#onExit() });
  }

  /** Events that the destination has accepted. */
  get sent(): number {
    return this.#account.sent;
  }

  /** Events that the destination refused, or did not accept after all retries. */
  get failed(): number {
    return this.#account.failed;
  }

  /** Events that were dropped; `stats().dropReasons` has the number for each reason. */
  get dropped(): number {
    return this.#account.dropped;
  }

  /** True as soon as it starts to close. */
  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** The current number of events in each state. */
  stats(): ShippingStats & Readonly<Record<F, number>> {
    const { logged, sent, failed, dropped, dropReasons, retried, queued } = this.#account;
    const { since } = this.#shipper;
    const oldestAgeMs = since === undefined ? 0 : Math.max(0, this.#clock.now() - since);
    const stats = { logged, sent, failed, dropped, dropReasons, retried, queued, oldestAgeMs };
    const extra = Object.entries(this.#figures).map(([name, figure]) => [name, figure.value()]);
    return { ...stats, ...(Object.fromEntries(extra) as Record<F, number>) };
  }

  /** Called by each logger that uses the sink. @throws Error if the sink is closed. */
  open(context: SinkContext): Sink {
    if (this.#closing !== undefined) {
      throw this.#report.errorOf('the sink is closed; create a new one for another logger');
    }
    this.#report.onError ??= context.onError;
    this.#users++;
    let isOpen = true;
    const { writeBytes, emit } = this;
    const opened: Sink = {
      write: (line, event) => this.write(line, event),
      ...(writeBytes && { writeBytes }),
      ...(emit && { emit }),
      flush: (deadline) => this.flush(deadline),
      close: async (deadline) => {
        if (!isOpen) return;
        isOpen = false;
        await (--this.#users > 0 ? this.flush(deadline) : this.close(deadline));
      },
    };
    const { async } = this.options.sinkOptions ?? {};
    return async === undefined
      ? opened
      : customSink(opened, { kind: this.kind, async }).open(context);
  }

  /**
   * Accepts one encoded event, ending in `"\n"`. If the event itself is passed too and is fatal, no limit
   * applies to it. Never throws.
   */
  write(line: string, event?: LogEvent): void {
    this.#give(() => this.#shipper.write(line, event));
  }

  /**
   * Resolves when the events logged so far are settled, or the deadline has passed; without a deadline
   * within 10 s.
   */
  flush(deadline?: Deadline): Promise<void> {
    return this.#within(deadline, (signal) => this.#shipper.flush(signal));
  }

  /**
   * Sends the events that wait, until the deadline or, without one, for at most 10 s, and releases all
   * resources. Further calls return the same promise.
   *
   * @throws Error that says how many events could not be sent in time.
   */
  close(deadline?: Deadline): Promise<void> {
    return (this.#closing ??= this.#close(deadline));
  }

  metrics(): Iterable<MetricReading> {
    return shippingReadings(this.options.metrics, this.stats(), this.#figures);
  }

  /** One check if `health` is set, otherwise none. */
  healthChecks(): readonly HealthCheck[] {
    const { health: affects, kind, target } = this.options;
    return affects === undefined
      ? []
      : [{ name: `${kind} ${target}`, affects, check: () => this.check() }];
  }

  /** @throws Error while nothing can be sent. */
  check(): void {
    const { trouble } = this.#shipper;
    if (trouble === undefined) return;
    const waiting = [`${eventsText(this.#account.queued)} queued`];
    for (const [name, figure] of Object.entries<ShippingFigure>(this.#figures)) {
      if (figure.kind === 'gauge') waiting.push(`${figure.value()} ${name}`);
    }
    throw this.#report.errorOf(`${trouble}; ${waiting.join(', ')}`);
  }

  get #figures(): Readonly<Record<string, ShippingFigure>> {
    return this.#shipper.figures ?? {};
  }

  #give(take: () => void): void {
    this.#account.logged++;
    if (this.#closing !== undefined) {
      this.#account.drop(1, 'closed');
      return;
    }
    try {
      take();
    } catch (error) {
      this.#account.failed++;
      this.#report.report(`1 event lost: ${thrownText(error)}`, error);
    }
  }

  async #close(deadline?: Deadline): Promise<void> {
    const before = this.#account.dropReasons.deadline;
    try {
      await this.#within(deadline, (signal) => this.#shipper.close(signal));
    } finally {
      process.off('beforeExit', this.#onIdle);
      this.#leaveExit();
      this.#account.end();
      this.#report.reportDrops();
    }
    const lost = this.#account.dropReasons.deadline - before;
    if (lost > 0) throw this.#report.errorOf(`${eventsText(lost)} could not be sent in time`);
  }

  /** Runs work until the deadline or the sink's own limit, whichever is earlier. */
  async #within(
    deadline: Deadline | undefined,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const limitMs = this.options.limitMs ?? (deadline === undefined ? DEFAULT_LIMIT_MS : Infinity);
    const own = deadlineAfter(limitMs, this.#clock);
    const linked = linkAbort(own.signal, ...(deadline === undefined ? [] : [deadline.signal]));
    try {
      await work(linked.signal);
    } finally {
      linked.dispose();
      own.dispose();
    }
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#report.report(`cannot send what waits: ${thrownText(error)}`, error);
    }
  }

  /** Called when the process exits: events that are only in memory are lost. */
  #onExit(): void {
    this.#guarded(() => this.#shipper.onExit?.());
    this.#report.reportDrops();
    const lost = this.#shipper.volatile ?? this.#account.queued;
    if (lost === 0) return;
    this.#report.report(
      `lost ${eventsText(lost)} that waited when the process exited; close the logger before`,
    );
  }

  readonly #onIdle = (): void => this.#guarded(() => this.#shipper.onIdle?.());
}
