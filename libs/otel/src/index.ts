export { OtelModule } from './nest/otel.module.js';
export { TracingModule } from './nest/tracing/tracing.module.js';
export { Traced } from './providers/traced.js';
export { tracedProviders } from './providers/traced-providers.js';
export { METER_PROVIDER } from './nest/tokens.js';
export { otelObserver } from './observe/otel-observer.js';
export { prometheusHandler } from './prometheus/prometheus-handler.js';
export type { TracingModuleOptions } from './nest/tracing/tracing-module-options.js';
export type { TracedOptions } from './providers/call-plan.js';
export type {
  ProviderClass,
  ProviderInstrument,
  TracedProvidersOptions,
} from './providers/traced-providers.js';
export type { OtelModuleOptions } from './nest/otel-module-options.js';
export type { OtelObserverOptions } from './observe/otel-observer.js';
export type {
  MetricsHandler,
  PrometheusHandler,
  PrometheusHandlerOptions,
} from './prometheus/prometheus-handler.js';

export { OBSERVED_NAMES } from './observe/otel-observer.js';
export { OtelError } from './errors.js';
export { SourceMeters } from './sources/source-meters.js';
export { SpanScope } from './spans/span-scope.js';
export type { SourceMetersOptions } from './sources/source-meters.js';
export { openTracing } from './tracing/open-tracing.js';
export { Tracing } from './tracing/tracing.js';
export { TracingSetupError } from './tracing/provider/tracing-setup-error.js';
export type { OpenTracing } from './tracing/open-tracing.js';
export type { OpenTracingOptions } from './tracing/tracing-options.js';
export type { ExportingProviderInit } from './tracing/provider/exporting-provider.js';
export type { TracingInit } from './tracing/tracing.js';
