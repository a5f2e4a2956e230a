import {
  type Context,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanOptions,
  type Tracer,
  diag,
  trace,
} from '@opentelemetry/api';

/**
 * A tracer that costs a span, and never the work, where a sampler or a span processor of the app's own throws:
 * most spans begin where nobody catches.
 */
export class GuardedTracer implements Pick<Tracer, 'startSpan'> {
  constructor(private readonly tracer: Tracer) {}

  startSpan(name: string, options?: SpanOptions, outer?: Context): Span {
    try {
      return this.tracer.startSpan(name, options, outer);
    } catch (error) {
      diag.error(`otel: no span was begun for ${name}`, error);
      return trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
    }
  }
}

/** Ends a span; what a span processor throws is told to the log of OpenTelemetry alone. */
export function endSpan(span: Span): void {
  try {
    span.end();
  } catch (error) {
    diag.error('otel: a span processor has failed', error);
  }
}
