import type { Span } from '@opentelemetry/api';
import { recordFailure } from '../tracing/span-failure.js';
import { endSpan } from '../tracing/guarded-tracer.js';

/** Spans whose failure is known, by whoever was nearest to it. */
const failed = new WeakSet<Span>();

/** Records what was thrown, unless something was recorded nearer to its cause: filters answer with less. */
export function recordFirstFailure(span: Span, error: unknown): void {
  if (failed.has(span) || !span.isRecording()) return;
  failed.add(span);
  recordFailure(span, error);
}

/** Ends a span that has failed. */
export function endFailedOnce(span: Span, error: unknown): void {
  recordFirstFailure(span, error);
  endSpan(span);
}
