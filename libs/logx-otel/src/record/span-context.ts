import { isSpanContextValid, type SpanContext, trace, TraceFlags } from '@opentelemetry/api';

/**
 * The trace context in the fields `trace_id` and `span_id`; undefined if they are not valid ids. Whether
 * the span is sampled is known only if it is the active span.
 */
export function spanContextOf(traceId: unknown, spanId: unknown): SpanContext | undefined {
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return undefined;
  const active = trace.getActiveSpan()?.spanContext();
  if (active !== undefined && active.traceId === traceId && active.spanId === spanId) {
    return active;
  }
  const context = {
    traceId: traceId.toLowerCase(),
    spanId: spanId.toLowerCase(),
    traceFlags: TraceFlags.NONE,
  };
  return isSpanContextValid(context) ? context : undefined;
}
