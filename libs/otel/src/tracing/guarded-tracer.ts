import {
  type Context,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanOptions,
  type TimeInput,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { tellDiag } from './tell-diag.js';

/**
 * A tracer that costs a span, and never the work, where a sampler or a span processor of the app's own
 * throws: most spans begin where no one catches.
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
 * Ends a span; what a span processor throws is told to the log of OpenTelemetry alone.
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
