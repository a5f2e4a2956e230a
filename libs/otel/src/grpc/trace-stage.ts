import { type BoundCallStage, CALL_STAGE, type CallMethod, type CallStage } from '@apix/contracts';
import { RpcDurations } from '../metrics/rpc-metrics.js';
import type { Tracing } from '../tracing/tracing.js';
import { BoundTraceStage } from './bound-trace-stage.js';
import {
  type GrpcTracingInit,
  type GrpcTracingSettings,
  grpcTracingSettings,
} from './grpc-tracing-options.js';

/**
 * Gives each gRPC call that comes in a span, active in the stages after it and in the handler, and measures it as
 * `rpc.server.call.duration`: calls from the network, in-process and of the gateway.
 */
export class TraceStage implements CallStage {
  readonly [CALL_STAGE] = true as const;
  readonly name = 'trace';
  readonly #settings: GrpcTracingSettings;
  readonly #durations: RpcDurations;

  /** @throws OtelError with every wrong option. */
  constructor(
    private readonly tracing: Tracing,
    init: GrpcTracingInit = {},
  ) {
    this.#settings = grpcTracingSettings(init);
    this.#durations = new RpcDurations('server', init.meterProvider);
  }

  bind(method: CallMethod): BoundCallStage | null {
    const { skip, incoming } = this.#settings;
    if (skip(method)) return null;
    return new BoundTraceStage(this.tracing, incoming, this.#durations, method);
  }
}

/**
 * The call stage that traces gRPC calls, for `stageInterceptor` of `@apix/calls/grpc` where there is no
 * `TracingModule`.
 *
 * @throws OtelError with every wrong option.
 */
export function traceStage(tracing: Tracing, init?: GrpcTracingInit): CallStage {
  return new TraceStage(tracing, init);
}
