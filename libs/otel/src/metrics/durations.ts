import { type Code, codeName } from '@apix/contracts';
import {
  type Attributes,
  type Context,
  createNoopMeter,
  type Histogram,
  type Meter,
  type MeterProvider,
  metrics,
  type UpDownCounter,
} from '@opentelemetry/api';
import { ERROR_TYPE, RPC_STATUS_CODE, SCOPE_NAME } from '../names.js';

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
class Durations {
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

/** The metrics of HTTP servers, by OpenTelemetry's semantic conventions. */
export class HttpMetrics {
  readonly #durations: Durations;
  readonly #active: UpDownCounter;

  constructor(meter: Meter) {
    this.#durations = new Durations(
      meter,
      'http.server.request.duration',
      'Duration of HTTP server requests',
    );
    this.#active = meter.createUpDownCounter('http.server.active_requests', {
      description: 'Number of active HTTP server requests',
      unit: '{request}',
    });
  }

  /** @param attributes the same for {@link ended}. */
  begun(attributes: Attributes, within: Context): void {
    this.#active.add(1, attributes, within);
  }

  ended(attributes: Attributes, within: Context): void {
    this.#active.add(-1, attributes, within);
  }

  took(milliseconds: number, attributes: Attributes, within: Context): void {
    this.#durations.record(milliseconds, attributes, within);
  }
}

const NAMES = {
  server: ['rpc.server.call.duration', 'Duration of calls that were received'],
  client: ['rpc.client.call.duration', 'Duration of calls that were made'],
} as const;

/** How long calls took, at one end. */
export class RpcDurations {
  /** Undefined if nothing records. */
  readonly #durations: Durations | undefined;

  /** @param meterProvider Default: the global one, as it is at this moment. */
  constructor(end: keyof typeof NAMES, meterProvider: MeterProvider | undefined) {
    const [name, description] = NAMES[end];
    const meter = recordingMeter(meterProvider);
    this.#durations = meter && new Durations(meter, name, description);
  }

  /** Those of one method. @param attributes what all its calls have. */
  of(attributes: Attributes, hasFailed: (code: Code) => boolean): MethodDurations {
    return new MethodDurations(this.#durations, attributes, hasFailed);
  }
}

/** How long the calls of one method took. */
export class MethodDurations {
  /** By code, made when a call ends with it for the first time. */
  readonly #byCode: Attributes[] = [];

  constructor(
    private readonly durations: Durations | undefined,
    private readonly attributes: Attributes,
    private readonly hasFailed: (code: Code) => boolean,
  ) {}

  /** When a call begins that begins now, by `performance.now()`, for {@link record}; 0 if nothing records. */
  begin(): number {
    return this.durations === undefined ? 0 : performance.now();
  }

  /** @param begun of {@link begin}. @param within the span's context, for exemplars. */
  record(begun: number, code: Code, within: Context): void {
    if (this.durations === undefined) return;
    const attributes = (this.#byCode[code] ??= this.#attributesOf(code));
    this.durations.record(performance.now() - begun, attributes, within);
  }

  #attributesOf(code: Code): Attributes {
    const name = codeName(code);
    return {
      ...this.attributes,
      [RPC_STATUS_CODE]: name,
      ...(this.hasFailed(code) && { [ERROR_TYPE]: name }),
    };
  }
}
