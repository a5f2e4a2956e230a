import { context } from '@opentelemetry/api';
import { followResult } from './follow-result.js';
import type { BeginRun } from './lazy-span.js';
import type { OpenSpan } from './open-span.js';

/** Runs work in its span, which ends with what the work returns: {@link followResult} says when that is. */
export function follow<T>(open: OpenSpan, work: () => T): T {
  return followCall(open, undefined, work, undefined, []) as T;
}

/** The same for a call of a method. @param again see {@link followResult}. */
export function followCall(
  open: OpenSpan,
  again: BeginRun | undefined,
  method: (this: unknown, ...args: unknown[]) => unknown,
  self: unknown,
  args: unknown[],
): unknown {
  let result: unknown;
  try {
    result = context.with(open.inner, method, self, ...args);
  } catch (error) {
    open.fail(error);
    throw error;
  }
  return followResult(result, open, again);
}
