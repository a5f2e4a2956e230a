import {
  type Attributes,
  type Context,
  type Histogram,
  type Meter,
  type MeterProvider,
  createNoopMeter,
  metrics,
} from '@opentelemetry/api';
import { SCOPE_NAME } from '../scope-name.js';

/** Seconds, as the semantic conventions advise for the durations of HTTP and RPC. */
const DURATION_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/**
 * The meter of this package; undefined if nothing records, so that no attributes are created in vain.
 *
 * @param provider Default: the global one, as it is at this moment.
 */
export function recordingMeter(provider: MeterProvider = metrics): Meter | undefined {
  const meter = provider.getMeter(SCOPE_NAME);
  return meter === createNoopMeter() ? undefined : meter;
}

/** A histogram of durations in seconds, in the buckets of the conventions. */
export class Durations {
  readonly #histogram: Histogram;

  constructor(meter: Meter, name: string, description: string) {
    this.#histogram = meter.createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: DURATION_BUCKETS },
    });
  }

  /** @param within the span's context, for exemplars. */
  record(milliseconds: number, attributes: Attributes, within: Context): void {
    this.#histogram.record(milliseconds / 1000, attributes, within);
  }
}
