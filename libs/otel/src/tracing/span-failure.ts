import { thrownError } from '@apix/contracts';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { endSpan } from './guarded-tracer.js';
import { ERROR_TYPE } from './span-attributes.js';

/** Spans whose failure is known, by whoever was nearest to it. */
const failed = new WeakSet<Span>();

/** In which trace an error was recorded last. */
const recordedIn = new WeakMap<Error, string>();

/**
 * Records on a span what was thrown, as the conventions for exceptions have it. The first failure of a span counts:
 * what comes after it, such as the answer of a filter, says less.
 */
export function recordFailure(span: Span, error: unknown): void {
  if (!span.isRecording() || failed.has(span)) return;
  failed.add(span);
  const failure = thrownError(error);
  recordException(span, failure);
  span.setAttribute(ERROR_TYPE, failure.name);
  span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
}

/** An error that passes through several spans of a trace is an exception of the first, which is the innermost. */
export function recordException(span: Span, error: Error): void {
  const { traceId } = span.spanContext();
  if (recordedIn.get(error) === traceId) return;
  recordedIn.set(error, traceId);
  span.recordException(error);
}

/** Ends a span with what was thrown. */
export function endFailed(span: Span, error: unknown): void {
  recordFailure(span, error);
  endSpan(span);
}
