export { otelObserver } from '../observe/otel-observer.js';
export { prometheusHandler } from '../prometheus/prometheus-handler.js';
export { RecentTraces } from '../recent/recent-traces.js';
export type { RecentTracesOptions } from '../recent/recent-traces-options.js';
export { runtimeMeters } from '../runtime/runtime-meters.js';
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
export type { EndedSpan, SpanListener } from '../recent/span-shapes.js';
