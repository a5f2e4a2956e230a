import { context } from '@opentelemetry/api';
import type { BeginRun, LazySpan } from './open-span.js';
import { shadow } from './shadow.js';

type Settle = (value: unknown) => unknown;
type Then = (onFulfilled?: unknown, onRejected?: unknown) => unknown;

/**
 * For example, a query builder, which runs each time it is awaited: each run is a span. It is never run from here;
 * undefined where it cannot be followed.
 */
export function followThenable(
  result: PromiseLike<unknown>,
  again: BeginRun | undefined,
  lazy: () => LazySpan,
): object | undefined {
  const original = (result as { readonly then: Then }).then;
  const spans = lazy();
  const then = function (this: unknown, onFulfilled?: unknown, onRejected?: unknown): unknown {
    const outer = context.active();
    const open = spans.begin();
    if (open === undefined) return original.call(this, onFulfilled, onRejected);
    const back = (handler: unknown, value: unknown): unknown =>
      context.with(outer, handler as Settle, undefined, value);
    const fulfilled = (value: unknown): unknown => {
      open.end();
      return typeof onFulfilled === 'function' ? back(onFulfilled, value) : value;
    };
    const rejected = (error: unknown): unknown => {
      open.fail(error);
      if (typeof onRejected === 'function') return back(onRejected, error);
      throw error;
    };
    try {
      return context.with(open.context, original, this, fulfilled, rejected);
    } catch (error) {
      open.fail(error);
      throw error;
    }
  };
  if (!shadow(result, 'then', then, again)) return undefined;
  spans.belongTo(result);
  return result;
}
