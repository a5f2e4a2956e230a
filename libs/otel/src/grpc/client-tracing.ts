import {
  type BoundOutgoingStage,
  type CallMethod,
  OUTGOING_STAGE,
  type OutgoingStage,
} from '@apix/contracts';
import { RpcDurations } from '../metrics/rpc-metrics.js';
import type { Tracing } from '../tracing/tracing.js';
import { BoundClientTracing } from './bound-client-tracing.js';
import {
  type GrpcTracingInit,
  type GrpcTracingSettings,
  grpcTracingSettings,
} from './grpc-tracing-options.js';

/**
 * Gives each outgoing gRPC call over a network a span, passes the span's context to the server, and
 * measures the call as `rpc.client.call.duration`.
 */
export class ClientTracing implements OutgoingStage {
  readonly [OUTGOING_STAGE] = true as const;
  readonly name = 'trace';
  readonly #settings: GrpcTracingSettings;
  readonly #durations: RpcDurations;

  /** @throws OtelError with every wrong option. */
  constructor(
    private readonly tracing: Tracing,
    init: GrpcTracingInit = {},
  ) {
    this.#settings = grpcTracingSettings(init);
    this.#durations = new RpcDurations('client', init.meterProvider);
  }

  bind(method: CallMethod): BoundOutgoingStage | null {
    if (this.#settings.skip(method)) return null;
    return new BoundClientTracing(this.tracing, this.#durations, method);
  }
}

/**
 * The stage that traces the calls of a client, for the option `stages` of `createClient` of `@apix/grpc-client`
 * and of `networkUpstream` of `@apix/gateway/core`, where there is no `TracingModule`. Put it first.
 *
 * @throws OtelError with every wrong option.
 */
export function clientTracing(tracing: Tracing, init?: GrpcTracingInit): OutgoingStage {
  return new ClientTracing(tracing, init);
}
