import { types } from 'node:util';
import { isPromiseLike } from '@apix/contracts/internal';
import { context } from '@opentelemetry/api';
import { followIterable, followIterator, isIterable, isIterator } from './follow-iterator.js';
import { followPromise } from './follow-promise.js';
import { followThenable } from './follow-thenable.js';
import { type BeginRun, LazySpan, type OpenSpan } from './open-span.js';
import { isFollowed } from './shadow.js';

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
    result = context.with(open.context, method, self, ...args);
  } catch (error) {
    open.fail(error);
    throw error;
  }
  return followResult(result, open, again, other);
}

/** Follows a lazy result of a kind that may not be installed; undefined for anything else. */
export type FollowOther = (result: object, lazy: () => LazySpan) => object | undefined;

/**
 * Ends a span when the result of the work is complete; returns the replacement for the result.
 *
 * @param again begins the span of each further run of a lazy result. Default: those get none.
 * @param other Default: only promises, thenables and sequences are followed.
 */
export function followResult(
  result: unknown,
  open: OpenSpan,
  again?: BeginRun,
  other?: FollowOther,
): unknown {
  // Why: docs/decisions/0265
  if ((typeof result === 'object' || typeof result === 'function') && result !== null) {
    if (types.isPromise(result)) return followPromise(result, open);
    const followed = followLazy(result, open, again, other);
    if (followed !== undefined) return followed;
  }
  open.end();
  return result;
}

/** A result that runs only when it is consumed; undefined for others. */
function followLazy(
  result: object,
  open: OpenSpan,
  again: BeginRun | undefined,
  other: FollowOther | undefined,
): object | undefined {
  try {
    if (isFollowed(result, again)) return undefined;
    const lazy = (): LazySpan => new LazySpan(open, again);
    if (isPromiseLike(result)) return followThenable(result, again, lazy);
    if (isIterator(result)) return followIterator(result, again, lazy);
    if (isIterable(result)) return followIterable(result, again, lazy);
    return other?.(result, lazy);
  } catch {
    // A getter of the result, or a proxy's trap, has thrown: the method itself has done its work.
  }
  return undefined;
}
