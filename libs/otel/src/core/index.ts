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
export { openTracing } from '../tracing/open-tracing.js';
export { Tracing } from '../tracing/tracing.js';
export { TracingSetupError } from '../tracing/provider/tracing-setup-error.js';
export type { OpenTracing } from '../tracing/open-tracing.js';
export type { OpenTracingOptions } from '../tracing/tracing-options.js';
export type { ExportingProviderInit } from '../tracing/provider/exporting-provider.js';
export type { TracingInit } from '../tracing/tracing.js';
