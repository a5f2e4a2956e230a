import { registerOtelSinkType } from './sink/register-sink-type.js';

registerOtelSinkType();

export { fields, install } from './context/trace-fields.js';
export { otelSink, OtelSink } from './sink/otel-sink.js';
export { OtelSinks } from './sink/otel-sinks.js';
export { OTEL_SINK_TYPE } from './sink/register-sink-type.js';
export type { OtelConfig } from './config/otel-config.js';
export type { OtelSinkOptions } from './sink/otel-sink.js';
export type { OtelStats } from './sink/otel-stats.js';

export { CLOSE_TIMEOUT_MS } from './sink/otel-sink.js';
export type { EmittedRecord, OtelLoggerProvider } from './config/otel-config.js';
