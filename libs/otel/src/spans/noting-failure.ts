import { types } from 'node:util';
import type { Span } from '@opentelemetry/api';
import { recordFailure } from '../tracing/span-failure.js';
import { followPromise } from './follow-promise.js';

/** Runs work in a span that other code ends, which may not learn how the work has failed. */
export function notingFailure<T>(span: Span | undefined, work: () => T): T {
  if (span === undefined) return work();
  const fail = (error: unknown): void => recordFailure(span, error);
  try {
    const result = work();
    return types.isPromise(result) ? (followPromise(result, { end() {}, fail }) as T) : result;
  } catch (error) {
    fail(error);
    throw error;
  }
}
