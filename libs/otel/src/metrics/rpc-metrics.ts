import { type Code, codeName } from '@apix/contracts';
import type { Attributes, Context, MeterProvider } from '@opentelemetry/api';
import { RPC_STATUS_CODE } from '../tracing/rpc-attributes.js';
import { ERROR_TYPE } from '../tracing/span-attributes.js';
import { Durations, recordingMeter } from './durations.js';

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
