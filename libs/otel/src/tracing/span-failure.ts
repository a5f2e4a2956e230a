import { thrownError } from '@apix/contracts/internal';
import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { endSpan } from './guarded-tracer.js';
import { ERROR_TYPE } from '../names.js';

/** Spans whose failure has been recorded, by the code nearest to it. */
const failed = new WeakSet<Span>();

/** In which trace an error was recorded last. */
const recordedIn = new WeakMap<Error, string>();

/**
 * Records a thrown error on a span, by the conventions for exceptions. The first failure of a span counts:
 * later ones, such as the answer of a filter, say less.
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

/** Ends a span with a thrown error. */
export function endFailed(span: Span, error: unknown): void {
  recordFailure(span, error);
  endSpan(span);
}
