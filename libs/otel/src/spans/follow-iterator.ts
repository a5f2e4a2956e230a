import { IterationSteps, type IteratorStep } from './iteration-steps.js';
import type { BeginRun, LazySpan } from './open-span.js';
import { isFollowed, shadow } from './shadow.js';

type IteratorMethods = Partial<Record<'next' | 'return' | 'throw', IteratorStep>>;

interface Iterable {
  [Symbol.asyncIterator](): object;
}

/** A generator, of either kind; not an array, which is only iterable. */
export function isIterator(result: object): boolean {
  return (
    typeof (result as IteratorMethods).next === 'function' &&
    (Symbol.asyncIterator in result || Symbol.iterator in result)
  );
}

/** A plain sequence, without the events or readers of a stream of Node or of the web. */
export function isIterable(result: object): result is Iterable {
  const { on, getReader } = result as Partial<Record<'on' | 'getReader', unknown>>;
  return Symbol.asyncIterator in result && on === undefined && getReader === undefined;
}

/** The span lasts until the iteration ends, and is active in each of its steps. */
export function followIterator(
  result: object,
  again: BeginRun | undefined,
  lazy: () => LazySpan,
): object | undefined {
  const spans = lazy();
  const steps = new IterationSteps(() => spans.begin());
  for (const key of ['next', 'return', 'throw'] as const) {
    const original = (result as IteratorMethods)[key];
    if (typeof original !== 'function') continue;
    if (!shadow(result, key, steps.traced(original), again)) return undefined;
  }
  spans.belongTo(result);
  return result;
}

/** The first iteration continues the span of the call, each further one has its own span. */
export function followIterable(
  result: Iterable,
  again: BeginRun | undefined,
  lazy: () => LazySpan,
): object | undefined {
  const original = result[Symbol.asyncIterator];
  const spans = lazy();
  const iterate = function (this: Iterable): object {
    const iterator = original.call(this);
    if (isFollowed(iterator, again)) return iterator;
    return followIterator(iterator, again, () => spans) ?? iterator;
  };
  if (!shadow(result, Symbol.asyncIterator, iterate, again)) return undefined;
  spans.belongTo(result);
  return result;
}
