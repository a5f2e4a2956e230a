import { registerOtelSinkType } from './sink/register-sink-type.js';

registerOtelSinkType();

export { addTraceFields, traceFields } from './context/trace-fields.js';
export { otelSink } from './sink/otel-sink.js';
export { OTEL_SINK_TYPE } from './sink/register-sink-type.js';
export type { OtelConfig } from './config/otel-config.js';
export type { OtelSink, OtelSinkOptions, OtelStats } from './sink/otel-sink.js';

export type { EmittedRecord, OtelLoggerProvider } from './config/otel-config.js';
