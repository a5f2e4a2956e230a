import { context } from '@opentelemetry/api';
import { type FollowOther, followResult } from './follow-result.js';
import type { BeginRun } from './lazy-span.js';
import type { OpenSpan } from './open-span.js';

/** How the calls of a method are followed: see {@link followResult}. */
export interface FollowedCalls {
  readonly again?: BeginRun;
  readonly other?: FollowOther;
}

/**
 * Runs work in its span, which ends with what the work returns: see {@link followResult} for when that is.
 */
export function follow<T>(open: OpenSpan, work: () => T): T {
  return followCall(open, {}, work, undefined, []) as T;
}

/** The same for a call of a method. */
export function followCall(
  open: OpenSpan,
  { again, other }: FollowedCalls,
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
  return followResult(result, open, again, other);
}
