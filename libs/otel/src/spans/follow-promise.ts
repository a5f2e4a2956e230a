import { types } from 'node:util';
import type { Span } from '@opentelemetry/api';
import { recordFailure } from '../tracing/span-failure.js';
import type { SpanEnding } from './open-span.js';

/**
 * A promise for the same value, whose rejection is unhandled wherever that of the given one would be. A
 * promise with own properties, or of a subclass, is returned as it is.
 */
export function followPromise<T>(promise: Promise<T>, ending: SpanEnding): Promise<T> {
  const settled = Promise.prototype.then.call(
    promise,
    (value: unknown) => {
      ending.end();
      return value;
    },
    (error: unknown) => {
      ending.fail(error);
      throw error;
    },
  ) as Promise<T>;
  if (isPlain(promise)) return settled;
  // The caller gets the rejection from the promise itself.
  settled.catch(() => {});
  return promise;
}

function isPlain(promise: object): boolean {
  return (
    Object.getPrototypeOf(promise) === Promise.prototype && Reflect.ownKeys(promise).length === 0
  );
}

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
