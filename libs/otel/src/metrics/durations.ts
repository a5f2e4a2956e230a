import {
  type Histogram,
  type Meter,
  type MeterProvider,
  type UpDownCounter,
  createNoopMeter,
  metrics,
} from '@opentelemetry/api';
import { SCOPE_NAME } from '../names.js';

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

/** A histogram of seconds, in the buckets of the conventions. */
function durations(meter: Meter, name: string, description: string): Histogram {
  const advice = { explicitBucketBoundaries: DURATION_BUCKETS };
  return meter.createHistogram(name, { description, unit: 's', advice });
}

/** The metrics of HTTP servers, by OpenTelemetry's semantic conventions. */
export interface HttpMetrics {
  /** In seconds. */
  readonly durations: Histogram;
  readonly active: UpDownCounter;
}

export function httpMetrics(meter: Meter): HttpMetrics {
  const name = 'http.server.request.duration';
  return {
    durations: durations(meter, name, 'Duration of HTTP server requests'),
    active: meter.createUpDownCounter('http.server.active_requests', {
      description: 'Number of active HTTP server requests',
      unit: '{request}',
    }),
  };
}

const RPC = {
  server: ['rpc.server.call.duration', 'Duration of calls that were received'],
  client: ['rpc.client.call.duration', 'Duration of calls that were made'],
} as const;

/**
 * The durations of calls at one end, in seconds; undefined if nothing records.
 *
 * @param meterProvider Default: the global one, as it is at this moment.
 */
export function rpcHistogram(
  end: keyof typeof RPC,
  meterProvider: MeterProvider | undefined,
): Histogram | undefined {
  const meter = recordingMeter(meterProvider);
  const [name, description] = RPC[end];
  return meter && durations(meter, name, description);
}
