import { context } from '@opentelemetry/api';
import { Observable, tap } from 'rxjs';
import type { FollowOther } from './follow.js';
import type { BeginRun, LazySpan } from './open-span.js';

/**
 * Follows an Observable. Separate from the code that follows other results, so that rxjs is not needed
 * without Nest.
 */
export const followIfObservable: FollowOther = (result, lazy) =>
  isColdObservable(result) ? followObservable(result, lazy) : undefined;

/**
 * An Observable that works for each subscriber; not a subject, which other code writes to, and not a
 * subclass with more methods.
 */
function isColdObservable(result: object): result is Observable<unknown> {
  return Object.getPrototypeOf(result) === Observable.prototype;
}

/**
 * The span of an Observable that a method returns continues with its first subscription; each further one
 * has its own.
 */
function followObservable<T>(source: Observable<T>, lazy: () => LazySpan): Observable<T> {
  const spans = lazy();
  const traced = observedIn(source, () => spans.begin());
  spans.belongTo(traced);
  return traced;
}

/** Each subscription is a span, until the source completes or fails, or the subscription ends. */
export function observedIn<T>(source: Observable<T>, begin: BeginRun): Observable<T> {
  return new Observable<T>((subscriber) => {
    const open = begin();
    if (open === undefined) return source.subscribe(subscriber);
    const end = (): void => open.end();
    const error = (thrown: unknown): void => open.fail(thrown);
    const watched = source.pipe(tap({ complete: end, unsubscribe: end, error }));
    return context.with(open.context, () => watched.subscribe(subscriber));
  });
}
