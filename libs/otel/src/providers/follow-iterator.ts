import { types } from 'node:util';
import { context } from '@opentelemetry/api';
import { endFailed } from '../tracing/span-failure.js';
import type { OpenSpan } from './call-plan.js';
import type { LazySpan } from './lazy-span.js';
import { shadow } from './shadow.js';
import { endSpan } from '../tracing/guarded-tracer.js';

type IteratorStep = (this: unknown, ...args: unknown[]) => unknown;
type IteratorSteps = Partial<Record<'next' | 'return' | 'throw', IteratorStep>>;

interface Iterable {
  [Symbol.asyncIterator](): object;
}

/** A generator, of either kind; not an array, which is only iterable. */
export function isIterator(result: object): boolean {
  return (
    typeof (result as IteratorSteps).next === 'function' &&
    (Symbol.asyncIterator in result || Symbol.iterator in result)
  );
}

/** A sequence without events or readers of its own, as a stream of Node or of the web has. */
export function isIterable(result: object): result is Iterable {
  const { on, getReader } = result as Partial<Record<'on' | 'getReader', unknown>>;
  return Symbol.asyncIterator in result && on === undefined && getReader === undefined;
}

/** The span lasts until the iteration ends, and is active in each of its steps. */
export function followIterator(result: object, lazy: () => LazySpan): object | undefined {
  const spans = lazy();
  let open: OpenSpan | undefined;
  let isOver = false;
  const end = (error?: { readonly thrown: unknown }): void => {
    if (isOver) return;
    isOver = true;
    if (open === undefined) return;
    if (error === undefined) endSpan(open.span);
    else endFailed(open.span, error.thrown);
  };
  const seen = (step: unknown): unknown => {
    if ((step as IteratorResult<unknown> | undefined)?.done === true) end();
    return step;
  };
  const failed = (thrown: unknown): never => {
    end({ thrown });
    throw thrown;
  };
  const traced = (original: IteratorStep): IteratorStep =>
    function (this: unknown, ...args) {
      if (isOver) return original.apply(this, args);
      open ??= spans.begin();
      if (open === undefined) return original.apply(this, args);
      let step: unknown;
      try {
        step = context.with(open.inner, original, this, ...args);
      } catch (error) {
        return failed(error);
      }
      return types.isPromise(step) ? step.then(seen, failed) : seen(step);
    };
  for (const key of ['next', 'return', 'throw'] as const) {
    const original = (result as IteratorSteps)[key];
    if (typeof original === 'function' && !shadow(result, key, traced(original))) return undefined;
  }
  spans.belongTo(result);
  return result;
}

/** The first iteration continues the span of the call, each further one has a span of its own. */
export function followIterable(result: Iterable, lazy: () => LazySpan): object | undefined {
  const original = result[Symbol.asyncIterator];
  const spans = lazy();
  const iterate = function (this: Iterable): object {
    const iterator = original.call(this);
    return followIterator(iterator, () => spans) ?? iterator;
  };
  if (!shadow(result, Symbol.asyncIterator, iterate)) return undefined;
  spans.belongTo(result);
  return result;
}
