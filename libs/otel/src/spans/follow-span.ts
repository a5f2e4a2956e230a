import type { Span } from '@opentelemetry/api';
import { endFailed } from '../tracing/span-failure.js';

/** Runs work and ends the span of it when it has ended: a promise when it settles. */
export function followed<T>(span: Span, fn: () => T): T {
  try {
    const result = fn();
    if (result instanceof Promise) {
      // The caller keeps the promise itself, and with it the rejection.
      result.then(
        () => span.end(),
        (error: unknown) => endFailed(span, error),
      );
    } else span.end();
    return result;
  } catch (error) {
    endFailed(span, error);
    throw error;
  }
}
