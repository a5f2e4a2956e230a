export { otelObserver } from '../observe/otel-observer.js';
export { prometheusHandler } from '../prometheus/prometheus-handler.js';
export { SourceMeters } from '../sources/source-meters.js';
export { SpanScope } from '../spans/span-scope.js';
export type { OtelObserverOptions } from '../observe/otel-observer.js';
export type {
  MetricsHandler,
  PrometheusHandler,
  PrometheusHandlerOptions,
} from '../prometheus/prometheus-handler.js';
export type { SourceMetersOptions } from '../sources/source-meters.js';

export { OBSERVED_NAMES } from '../observe/otel-observer.js';
export { Tracing } from '../tracing/tracing.js';
export { TracingSetupError } from '../tracing/provider/tracing-setup-error.js';
export type { TracingInit } from '../tracing/tracing.js';
export { clientTracing } from '../grpc/client-tracing.js';
export { traceStage } from '../grpc/trace-stage.js';
export type { GrpcTracingOptions } from '../grpc/grpc-tracing-options.js';
export type { GrpcTracingInit } from '../grpc/trace-stage.js';
export type { IncomingTrace } from '../tracing/tracing.js';
