import {
  customSink,
  type Deadline,
  deadlineAfter,
  HEALTH_SOURCE,
  type HealthCheck,
  type HealthSource,
  type Level,
  type LogEvent,
  METRIC_SOURCE,
  type MetricReading,
  type MetricSource,
  type Sink,
  type SinkContext,
  type SinkOptions,
  type SinkSpec,
} from '@apix/logx/core';
import type { OtelConfig } from '../config/otel-config.js';
import { resolveConfig, type Settings } from '../config/resolve-config.js';
import type { Outlet } from '../outlet/outlet.js';
import { openOutlet } from '../outlet/open-outlet.js';
import { translateEvent } from '../record/event-translator.js';
import { translateLine } from '../record/line-translator.js';
import type { Translation } from '../record/translation.js';
import type { OtelStats } from './otel-stats.js';
import { Reporter } from './reporter.js';
import { readingsOf } from './readings.js';

/** How long `flush` and `close` take at most, in milliseconds. */
export const CLOSE_TIMEOUT_MS = 10_000;

/** What a sink of logx can be told; the format of this one is JSON. */
export type OtelSinkOptions = Pick<SinkOptions, 'minLevel' | 'async'>;

/**
 * Makes OpenTelemetry log records of events. It is a sink, and at the same time the spec of
 * itself: `createLogger({ sinks: [otel] })`. Loggers may share it; it is closed with the last of
 * them.
 */
export class OtelSink implements Sink, SinkSpec, MetricSource, HealthSource {
  readonly [METRIC_SOURCE] = true as const;
  readonly [HEALTH_SOURCE] = true as const;
  readonly kind = 'otlp';
  readonly format = 'json';
  readonly minLevel?: Level;
  readonly #async: OtelSinkOptions['async'];
  readonly #settings: Settings;
  readonly #report: Reporter;
  readonly #outlet: Outlet;
  #logged = 0;
  #untranslatable = 0;
  #loggers = 0;
  #closing: Promise<void> | undefined;

  /** Use `otelSink(config)`. @throws as that does. */
  constructor(config: OtelConfig, { minLevel, async }: OtelSinkOptions) {
    this.#settings = resolveConfig(config);
    if (minLevel !== undefined) this.minLevel = minLevel;
    this.#async = async;
    this.#report = new Reporter(config.onError);
    this.#outlet = openOutlet(this.#settings, (message, cause) => this.#report.say(message, cause));
  }

  /** Events that there was no room for, no time at the end, or no global provider. */
  get dropped(): number {
    return this.#report.drops;
  }

  /** Where every event is at this moment. */
  get stats(): OtelStats {
    const { sent, failed, queued, oldest } = this.#outlet.figures;
    return {
      logged: this.#logged,
      sent,
      failed: failed + this.#untranslatable,
      dropped: this.dropped,
      queued,
      oldestAgeMs: oldest === undefined ? 0 : Math.max(0, Date.now() - oldest),
    };
  }

  /** Called by a logger that begins to use it. @throws Error once it is closed. */
  open(context: SinkContext): Sink {
    if (this.#closing !== undefined) {
      throw new Error('logx-otel: the sink is closed; make a new one for another logger');
    }
    this.#report.onError ??= context.onError;
    this.#loggers++;
    const sink: Sink = {
      emit: (event) => this.emit(event),
      flush: (deadline) => this.flush(deadline),
      close: async (deadline) =>
        --this.#loggers > 0 ? this.flush(deadline) : this.close(deadline),
    };
    return customSink(sink, { kind: this.kind, async: this.#async }).open(context);
  }

  /** Makes a record of an event; nothing is encoded and parsed on the way. */
  emit(event: LogEvent): void {
    this.#logged++;
    this.#take(translateEvent(event, this.#settings.attributes));
  }

  /** Parses one event in the `json` format and makes a record of it. Never throws. */
  write(line: string): void {
    this.#logged++;
    const { timeFormat, attributes } = this.#settings;
    let record: Translation;
    try {
      record = translateLine(line, timeFormat, attributes, Date.now());
    } catch (error) {
      this.#untranslatable++;
      this.#report.untranslatable(line, error);
      return;
    }
    this.#take(record);
  }

  /**
   * Resolves when what was logged so far is settled, or the deadline has passed; at most 10 s.
   * What a provider of somebody else holds is not flushed.
   */
  flush(deadline?: Deadline): Promise<void> {
    return this.#within(deadline, (signal) => this.#outlet.flush(signal));
  }

  /**
   * Sends what waits, until the deadline, at most 10 s, and shuts the exporter down. A provider
   * that was given, and the global one, stay as they are. Further calls wait for the same end.
   *
   * @throws Error that says how many events were lost because the time was up.
   */
  close(deadline?: Deadline): Promise<void> {
    return (this.#closing ??= this.#close(deadline));
  }

  metrics(): Iterable<MetricReading> {
    return readingsOf(this.#outlet.target, this.stats);
  }

  /** One, if `health` was set. */
  healthChecks(): readonly HealthCheck[] {
    const { health: affects } = this.#settings;
    return affects === undefined
      ? []
      : [{ name: `otlp ${this.#outlet.target}`, affects, check: () => this.check() }];
  }

  /** @throws Error while the endpoint takes nothing. */
  check(): void {
    const { trouble, figures } = this.#outlet;
    if (trouble === undefined) return;
    throw new Error(`logx-otel: ${trouble}; ${figures.queued} events wait`);
  }

  #take(record: Translation): void {
    if (this.#closing !== undefined || !this.#outlet.take(record)) this.#report.dropped(1);
  }

  async #close(deadline?: Deadline): Promise<void> {
    let lost = 0;
    await this.#within(deadline, async (signal) => {
      lost = await this.#outlet.close(signal);
    });
    this.#report.dropped(lost);
    this.#report.sayDrops();
    if (lost > 0) throw new Error(`logx-otel: ${lost} events could not be sent before the end`);
  }

  /** The earlier of the deadline and the sink's own limit. */
  async #within(
    deadline: Deadline | undefined,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const own = deadlineAfter(Math.min(CLOSE_TIMEOUT_MS, deadline?.remainingMs() ?? Infinity));
    const signals = deadline === undefined ? [own.signal] : [own.signal, deadline.signal];
    await work(AbortSignal.any(signals));
    own.dispose();
  }
}

/**
 * A sink of OpenTelemetry log records: to the global provider, to the one that is given, or to
 * an OTLP endpoint.
 *
 * @throws RangeError that lists every mistake of the config.
 */
export function otelSink(config: OtelConfig = {}, options: OtelSinkOptions = {}): OtelSink {
  return new OtelSink(config, options);
}
