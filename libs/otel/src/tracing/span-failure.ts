import { thrownError } from '@apix/contracts';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { endSpan } from './guarded-tracer.js';

/** In which trace an error was recorded last. */
const recordedIn = new WeakMap<Error, string>();

/**
 * Records on a span what was thrown, as the conventions for exceptions have it. An error that passes through
 * several spans of a trace is an exception of the first, which is the innermost, and a failure of all.
 */
export function recordFailure(span: Span, error: unknown): void {
  if (!span.isRecording()) return;
  const failure = thrownError(error);
  const { traceId } = span.spanContext();
  if (recordedIn.get(failure) !== traceId) {
    recordedIn.set(failure, traceId);
    span.recordException(failure);
  }
  span.setAttribute('error.type', failure.name);
  span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
}

/** Ends a span with what was thrown. */
export function endFailed(span: Span, error: unknown): void {
  recordFailure(span, error);
  endSpan(span);
}
