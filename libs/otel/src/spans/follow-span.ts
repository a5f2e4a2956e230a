import type { Span } from '@opentelemetry/api';
import { endFailedOnce, recordFirstFailure } from './failed-once.js';
import { endSpan } from '../tracing/guarded-tracer.js';

/** Runs work and ends the span of it when it has ended: a promise when it settles. */
export function followed<T>(span: Span, fn: () => T): T {
  try {
    const result = fn();
    if (result instanceof Promise) {
      // The caller keeps the promise itself, and with it the rejection.
      result.then(
        () => endSpan(span),
        (error: unknown) => endFailedOnce(span, error),
      );
    } else endSpan(span);
    return result;
  } catch (error) {
    endFailedOnce(span, error);
    throw error;
  }
}

/** Runs work in a span that somebody else ends, who may not learn how the work has failed. */
export function noting<T>(span: Span | undefined, fn: () => T): T {
  if (span === undefined) return fn();
  const note = (error: unknown): void => recordFirstFailure(span, error);
  try {
    const result = fn();
    if (result instanceof Promise) result.catch(note);
    return result;
  } catch (error) {
    note(error);
    throw error;
  }
}
