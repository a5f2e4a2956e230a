import { types } from 'node:util';
import { isPromiseLike } from '@apix/contracts';
import type { CallPlan, OpenSpan } from './call-plan.js';
import { followIterable, followIterator, isIterable, isIterator } from './follow-iterator.js';
import { followObservable, isColdObservable } from './follow-observable.js';
import { followPromise } from './follow-promise.js';
import { followThenable } from './follow-thenable.js';
import { LazySpan } from './lazy-span.js';
import { endSpan } from '../tracing/guarded-tracer.js';

/** Ends a span when what a method has returned is done; returns what takes the place of the result. */
export function followResult(result: unknown, open: OpenSpan, plan: CallPlan): unknown {
  // Why: docs/decisions/0266
  if ((typeof result === 'object' || typeof result === 'function') && result !== null) {
    if (types.isPromise(result)) return followPromise(result, open.span);
    const followed = followLazy(result, open, plan);
    if (followed !== undefined) return followed;
  }
  endSpan(open.span);
  return result;
}

/** What runs only when somebody asks for it; undefined for what does not. */
function followLazy(result: object, open: OpenSpan, plan: CallPlan): object | undefined {
  try {
    const lazy = (): LazySpan => new LazySpan(plan, open);
    if (isPromiseLike(result)) return followThenable(result, plan, lazy);
    if (isColdObservable(result)) return followObservable(result, lazy);
    if (isIterator(result)) return followIterator(result, lazy);
    if (isIterable(result)) return followIterable(result, lazy);
  } catch {
    // A getter of the result, or a proxy's trap, has thrown: the method itself has done its work.
  }
  return undefined;
}
