import { type Code, codeName } from '@apix/contracts';
import {
  type Attributes,
  type Context,
  type Histogram,
  type MeterProvider,
  metrics,
} from '@opentelemetry/api';
import { SCOPE_NAME } from '../scope-name.js';
import { RPC_STATUS_CODE } from '../tracing/rpc-attributes.js';
import { ERROR_TYPE } from '../tracing/span-attributes.js';

/** Upper bounds in seconds, as the semantic conventions have them. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

const NAMES = {
  server: ['rpc.server.call.duration', 'Duration of calls that were received'],
  client: ['rpc.client.call.duration', 'Duration of calls that were made'],
} as const;

/** How long calls took, at one end. */
export class RpcDurations {
  readonly #histogram: Histogram;

  /** @param meterProvider Default: the global one, as it is at this moment. */
  constructor(end: keyof typeof NAMES, meterProvider: MeterProvider | undefined) {
    const [name, description] = NAMES[end];
    this.#histogram = (meterProvider ?? metrics).getMeter(SCOPE_NAME).createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: BUCKETS },
    });
  }

  /** Those of one method. @param attributes what all its calls have. */
  of(attributes: Attributes, hasFailed: (code: Code) => boolean): MethodDurations {
    return new MethodDurations(this.#histogram, attributes, hasFailed);
  }
}

/** How long the calls of one method took. */
export class MethodDurations {
  /** By code, made when a call ends with it for the first time. */
  readonly #byCode: Attributes[] = [];

  constructor(
    private readonly histogram: Histogram,
    private readonly attributes: Attributes,
    private readonly hasFailed: (code: Code) => boolean,
  ) {}

  /** @param begun of `performance.now()`. @param within the span's context, for exemplars. */
  record(begun: number, code: Code, within: Context): void {
    const attributes = (this.#byCode[code] ??= this.#attributesOf(code));
    this.histogram.record((performance.now() - begun) / 1000, attributes, within);
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
