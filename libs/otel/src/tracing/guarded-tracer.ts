import {
  type Context,
  diag,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanOptions,
  type TimeInput,
  trace,
  type Tracer,
} from '@opentelemetry/api';

/** Writes an error to the log of OpenTelemetry. A logger of the app's own that throws costs the line alone. */
export function tellDiag(message: string, error?: unknown): void {
  try {
    if (error === undefined) diag.error(message);
    else diag.error(message, error);
  } catch {
    // There is no other log to write to, and no reason to fail the traced work.
  }
}

/**
 * A tracer that loses the span, and never the work, if the app's own sampler or span processor throws: most
 * spans begin where nothing catches errors.
 */
export class GuardedTracer implements Pick<Tracer, 'startSpan'> {
  constructor(private readonly tracer: Tracer) {}

  startSpan(name: string, options?: SpanOptions, outer?: Context): Span {
    try {
      return this.tracer.startSpan(name, options, outer);
    } catch (error) {
      tellDiag(`otel: no span was begun for ${name}`, error);
      return trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
    }
  }
}

/**
 * Ends a span; errors of a span processor are only reported to the log of OpenTelemetry.
 *
 * @param at Default: now.
 */
export function endSpan(span: Span, at?: TimeInput): void {
  try {
    span.end(at);
  } catch (error) {
    tellDiag('otel: a span processor has failed', error);
  }
}
