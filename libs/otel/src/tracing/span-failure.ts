import { thrownError } from '@apix/contracts';
import { type Span, SpanStatusCode } from '@opentelemetry/api';

/** Records on a span what was thrown, as the conventions for exceptions have it. */
export function recordFailure(span: Span, error: unknown): void {
  const failure = thrownError(error);
  span.recordException(failure);
  span.setAttribute('error.type', failure.name);
  span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
}

/** Ends a span with what was thrown. */
export function endFailed(span: Span, error: unknown): void {
  recordFailure(span, error);
  span.end();
}
