import type { FactoryProvider, Type } from '@nestjs/common';
import type { MeterProvider } from '@opentelemetry/api';
import { ClientTracing } from '../../grpc/client-tracing.js';
import type { GrpcTracingInit } from '../../grpc/grpc-tracing-options.js';
import { TraceStage } from '../../grpc/trace-stage.js';
import { Tracing } from '../../tracing/tracing.js';
import { METER_PROVIDER, TRACING_OPTIONS } from '../tokens.js';
import type { TracingModuleOptions } from './tracing-module-options.js';

/**
 * The stages that trace gRPC calls of the app: found by their marks, so that with `grpc: false` none is
 * found.
 */
export const grpcTracing: readonly FactoryProvider[] = [
  watching(TraceStage),
  watching(ClientTracing),
];

type Watching = Type<TraceStage | ClientTracing> &
  (new (tracing: Tracing, init: GrpcTracingInit) => TraceStage | ClientTracing);

function watching(Watch: Watching): FactoryProvider {
  return {
    provide: Watch,
    inject: [TRACING_OPTIONS, Tracing, { token: METER_PROVIDER, optional: true }],
    useFactory: (
      { grpc = {}, meterProvider }: TracingModuleOptions,
      tracing: Tracing,
      ofModule?: MeterProvider,
    ) =>
      grpc === false
        ? null
        : new Watch(tracing, { ...grpc, meterProvider: meterProvider ?? ofModule }),
  };
}
