import { context } from '@opentelemetry/api';
import { Observable, tap } from 'rxjs';
import { endFailed } from '../tracing/span-failure.js';
import type { LazySpan } from './lazy-span.js';
import { endSpan } from '../tracing/guarded-tracer.js';

/** One that works for each subscriber; not a subject, which others write to, nor what has more methods. */
export function isColdObservable(result: object): result is Observable<unknown> {
  return Object.getPrototypeOf(result) === Observable.prototype;
}

/** Each subscription is a span, until the source completes or fails, or nobody listens any more. */
export function followObservable<T>(source: Observable<T>, lazy: () => LazySpan): Observable<T> {
  const spans = lazy();
  const traced = new Observable<T>((subscriber) => {
    const open = spans.begin();
    if (open === undefined) return source.subscribe(subscriber);
    const { span, inner } = open;
    const end = (): void => endSpan(span);
    const error = (thrown: unknown): void => endFailed(span, thrown);
    const watched = source.pipe(tap({ complete: end, unsubscribe: end, error }));
    return context.with(inner, () => watched.subscribe(subscriber));
  });
  spans.belongTo(traced);
  return traced;
}
