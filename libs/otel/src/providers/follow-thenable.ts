import { context } from '@opentelemetry/api';
import type { CallPlan } from './call-plan.js';
import { endFailed } from '../tracing/span-failure.js';
import type { LazySpan } from './lazy-span.js';
import { shadow } from './shadow.js';
import { endSpan } from '../tracing/guarded-tracer.js';

type Settle = (value: unknown) => unknown;
type Then = (onFulfilled?: unknown, onRejected?: unknown) => unknown;

const followed = new WeakMap<object, Set<CallPlan>>();

/**
 * A query builder, say, which runs each time it is awaited: each run is a span. It is never run from here;
 * undefined where it cannot be followed.
 */
export function followThenable(
  result: PromiseLike<unknown>,
  plan: CallPlan,
  lazy: () => LazySpan,
): object | undefined {
  // A builder may return itself from each of its methods.
  const plans = followed.get(result) ?? new Set();
  if (plans.has(plan)) return undefined;
  const original = (result as { readonly then: Then }).then;
  const spans = lazy();
  const then = function (this: unknown, onFulfilled?: unknown, onRejected?: unknown): unknown {
    const outer = context.active();
    const open = spans.begin();
    if (open === undefined) return original.call(this, onFulfilled, onRejected);
    const back = (handler: unknown, value: unknown): unknown =>
      context.with(outer, handler as Settle, undefined, value);
    const fulfilled = (value: unknown): unknown => {
      endSpan(open.span);
      return typeof onFulfilled === 'function' ? back(onFulfilled, value) : value;
    };
    const rejected = (error: unknown): unknown => {
      endFailed(open.span, error);
      if (typeof onRejected === 'function') return back(onRejected, error);
      throw error;
    };
    try {
      return context.with(open.inner, original, this, fulfilled, rejected);
    } catch (error) {
      endFailed(open.span, error);
      throw error;
    }
  };
  if (!shadow(result, 'then', then)) return undefined;
  followed.set(result, plans.add(plan));
  spans.belongTo(result);
  return result;
}
