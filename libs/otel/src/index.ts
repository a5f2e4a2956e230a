export { MetricsModule } from './nest/metrics.module.js';
export { TracingModule } from './nest/tracing/tracing.module.js';
export { Traced } from './providers/traced.js';
export { tracedProviders } from './providers/traced-providers.js';
export { METER_PROVIDER } from './nest/tokens.js';
export { otelObserver } from './observe/otel-observer.js';
export { prometheusHandler } from './prometheus/prometheus-handler.js';
export { RecentTraces } from './recent/recent-traces.js';
export { bullmqTelemetry } from './bullmq/bullmq-telemetry.js';
export { OtelError } from './errors.js';
export { Tracing } from './tracing/tracing.js';
export { TracingSetupError } from './errors.js';
export { addToSpan } from './tracing/entry-span.js';
export { traceServer } from './http/http-trace-door.js';
export { openTracing } from './tracing/open-tracing.js';
export type { RecentTracesOptions } from './recent/recent-traces.js';
export type { TracingModuleOptions } from './nest/tracing/tracing-module-options.js';
export type { TracedOptions } from './providers/call-plan.js';
export type {
  ProviderClass,
  ProviderInstrument,
  TracedProvidersOptions,
} from './providers/traced-providers.js';
export type { MetricsModuleOptions } from './nest/metrics-module-options.js';
export type { OtelObserverOptions } from './observe/otel-observer.js';
export type {
  MetricsHandler,
  PrometheusHandler,
  PrometheusHandlerOptions,
} from './prometheus/prometheus-handler.js';
export type {
  BullmqContexts,
  BullmqTelemetry,
  BullmqTelemetryOptions,
} from './bullmq/bullmq-telemetry.js';
export type { BullmqSpan, BullmqSpanKind } from './bullmq/bullmq-span.js';
export type { BullmqTracer } from './bullmq/bullmq-tracer.js';
export type { GraphqlSpansOptions } from './graphql/operation-spans.js';
export type { IncomingTrace, TracingInit } from './tracing/tracing.js';
export type { HttpTracingInit } from './http/http-trace-door.js';
export type { CapturedHeaders, HttpTracingOptions } from './http/http-tracing-options.js';
export type { GrpcTracingOptions } from './grpc/grpc-tracing-options.js';
export type { EndedSpan, SpanListener } from './recent/kept-span.js';
export type { OpenTracing } from './tracing/open-tracing.js';
export type { OpenTracingOptions } from './tracing/tracing-options.js';
export type { ExportingProviderInit } from './tracing/provider/exporting-provider.js';
