import {
  type MetricReading,
  type MetricSource,
  Mistakes,
  OptionsError,
  shownValue,
  thrownText,
} from '@apix/contracts';
import {
  sourceName,
  callable,
  choice,
  objectWith,
  type OptionTable,
  readOptions,
  required,
  STRING,
  TEXT,
} from '@apix/contracts/internal';
import {
  type BatchObservableResult,
  type MeterProvider,
  type Observable,
  metrics,
} from '@opentelemetry/api';
import { otelOptions } from '../errors.js';
import { SCOPE_NAME } from '../names.js';
import { METER_PROVIDER } from '../tracing/option-kinds.js';
import { diagError } from '../tracing/guarded-tracer.js';

export interface SourceMetersOptions {
  /** Receives the figures; its owner shuts it down. Default: the global one, as it is at this moment. */
  readonly meterProvider?: MeterProvider | undefined;
  /** Names that are recorded elsewhere. Default: none. */
  readonly except?: ReadonlySet<string> | undefined;
  /** Called once for each source that throws, and for each name of two kinds. Default: an error in the log of OpenTelemetry. */
  readonly report?: ((problem: string) => void) | undefined;
}

const SOURCE_METERS_OPTIONS = {
  meterProvider: METER_PROVIDER,
  except: objectWith<ReadonlySet<string>>('a set of names', 'has'),
  report: callable<(problem: string) => void>(),
} satisfies OptionTable<SourceMetersOptions>;

interface Instrument {
  readonly kind: MetricReading['kind'];
  readonly observable: Observable;
}

/**
 * Reads metric sources whenever their meter is collected. An instrument is created when a source first
 * reports its name; a name that first occurs during a collection is in the next one, unless {@link refresh}
 * was called before. While a source throws, `apix.otel.source.failed` is 1 for it.
 */
export class SourceMeters {
  readonly #meter;
  readonly #except: ReadonlySet<string>;
  readonly #instruments = new Map<string, Instrument>();
  #observed: Observable[] = [];
  readonly #complained = new Set<string>();
  /** Whether the sources that have ever failed do so now, by their names. */
  readonly #failing = new Map<string, boolean>();
  readonly #report: (problem: string) => void;

  constructor(
    private readonly sources: () => Iterable<MetricSource>,
    options: SourceMetersOptions = {},
  ) {
    otelOptions(SOURCE_METERS_OPTIONS, options);
    this.#meter = (options.meterProvider ?? metrics).getMeter(SCOPE_NAME);
    this.#except = options.except ?? new Set();
    this.#report = options.report ?? diagError;
    this.refresh();
  }

  /** Makes the instruments of names that are new. */
  refresh(): void {
    this.#adopt(this.#readings());
  }

  /** Stops reading the sources. */
  stop(): void {
    this.#meter.removeBatchObservableCallback(this.#observe, this.#observed);
  }

  readonly #observe = (result: BatchObservableResult): void => {
    const unregistered: MetricReading[] = [];
    for (const reading of this.#readings()) {
      const instrument = this.#instruments.get(reading.name);
      if (instrument === undefined) unregistered.push(reading);
      else if (instrument.kind === reading.kind) {
        result.observe(instrument.observable, reading.value, reading.attributes);
      } else {
        this.#complain(
          `the metric ${reading.name} is a ${instrument.kind}, but a source reports a ${reading.kind}`,
        );
      }
    }
    // The list of a callback is fixed while it runs.
    // Why: docs/decisions/0074
    if (unregistered.length > 0) queueMicrotask(() => this.#adopt(unregistered));
  };

  #adopt(readings: readonly MetricReading[]): void {
    const before = this.#instruments.size;
    for (const { name, kind, description, unit } of readings) {
      if (this.#instruments.has(name)) continue;
      const options = { description, ...(unit === undefined ? {} : { unit }) };
      const observable =
        kind === 'counter'
          ? this.#meter.createObservableCounter(name, options)
          : this.#meter.createObservableGauge(name, options);
      this.#instruments.set(name, { kind, observable });
    }
    if (this.#instruments.size === before) return;
    this.stop();
    this.#observed = [...this.#instruments.values()].map(({ observable }) => observable);
    this.#meter.addBatchObservableCallback(this.#observe, this.#observed);
  }

  /** The readings of all sources; a source that throws has none and does not affect the others. */
  #readings(): MetricReading[] {
    const readings: MetricReading[] = [];
    const failing = this.#failing;
    for (const name of failing.keys()) failing.set(name, false);
    let number = 0;
    for (const source of this.sources()) {
      number += 1;
      try {
        for (const given of source.metrics()) {
          const reading = readOnce(given);
          if (this.#except.has(reading.name) || !Number.isFinite(reading.value)) continue;
          readings.push(reading);
        }
      } catch (error) {
        const name = sourceName(source, `number ${number}`);
        failing.set(name, true);
        const why = thrownText(error);
        const what = `the metric source ${name} failed, its metrics are left out while it does: ${why}`;
        this.#complain(what, `source ${name}`);
      }
    }
    for (const [source, isFailing] of failing) readings.push(failureOf(source, isFailing));
    return readings;
  }

  /** @param about reported only once */
  #complain(what: string, about = what): void {
    if (this.#complained.has(about)) return;
    this.#complained.add(about);
    try {
      this.#report(`otel: ${what}`);
    } catch {
      // A log that throws must not fail the metrics.
    }
  }
}

function failureOf(source: string, isFailing: boolean): MetricReading {
  return {
    name: 'apix.otel.source.failed',
    kind: 'gauge',
    value: isFailing ? 1 : 0,
    description: 'Whether a metric source failed when it was last read',
    attributes: { source },
  };
}

const READING = {
  name: required(TEXT, ''),
  kind: required(choice(['counter', 'gauge']), 'counter'),
  description: required(STRING, ''),
  unit: STRING,
};

/** A copy, so that nothing of a source's runs where nothing catches it. */
function readOnce(reading: MetricReading): MetricReading {
  const { name, kind, value, unit, description, attributes } = reading;
  const mistakes = new Mistakes();
  readOptions(READING, { name, kind, description, unit }, '', mistakes);
  mistakes.throwIfAny((found) => new OptionsError(`metric ${shownValue(name)}`, found));
  return {
    name,
    kind,
    value,
    description,
    ...(unit !== undefined && { unit }),
    attributes: { ...attributes },
  };
}
