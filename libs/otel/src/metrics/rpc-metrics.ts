import { type Code, codeName } from '@apix/contracts';
import { type Attributes, type Context, type MeterProvider, metrics } from '@opentelemetry/api';
import { SCOPE_NAME } from '../scope-name.js';
import { RPC_STATUS_CODE } from '../tracing/rpc-attributes.js';
import { ERROR_TYPE } from '../tracing/span-attributes.js';
import { Durations } from './durations.js';

const NAMES = {
  server: ['rpc.server.call.duration', 'Duration of calls that were received'],
  client: ['rpc.client.call.duration', 'Duration of calls that were made'],
} as const;

/** How long calls took, at one end. */
export class RpcDurations {
  readonly #durations: Durations;

  /** @param meterProvider Default: the global one, as it is at this moment. */
  constructor(end: keyof typeof NAMES, meterProvider: MeterProvider | undefined) {
    const [name, description] = NAMES[end];
    const meter = (meterProvider ?? metrics).getMeter(SCOPE_NAME);
    this.#durations = new Durations(meter, name, description);
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
    private readonly durations: Durations,
    private readonly attributes: Attributes,
    private readonly hasFailed: (code: Code) => boolean,
  ) {}

  /** @param begun of `performance.now()`. @param within the span's context, for exemplars. */
  record(begun: number, code: Code, within: Context): void {
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
