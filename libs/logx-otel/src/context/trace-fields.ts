import { addContextField, type ContextField } from '@apix/logx/core';
import { isSpanContextValid, trace } from '@opentelemetry/api';

/** `trace_id` and `span_id` of the active span; nothing if there is none. */
export function traceFields(): readonly ContextField[] {
  const span = trace.getActiveSpan()?.spanContext();
  if (span === undefined || !isSpanContextValid(span)) return [];
  return [
    { name: 'trace_id', value: span.traceId },
    { name: 'span_id', value: span.spanId },
  ];
}

/**
 * Adds {@link traceFields} to all events that are logged by `ctx()`, by functions whose names end in
 * `Ctx`, or by loggers that LogxModule injects. Call it once, at startup; a second call changes nothing.
 *
 * @returns a function that removes the fields again.
 */
export function addTraceFields(): () => void {
  return addContextField(traceFields);
}
