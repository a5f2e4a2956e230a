import { type Context, type Span, context } from '@opentelemetry/api';
import { Observable } from 'rxjs';
import { endFailedOnce } from './failed-once.js';
import { endSpan } from '../tracing/guarded-tracer.js';

/** Subscribes inside a context; its span ends with the last value, with an error, or when nobody listens. */
export function observedIn<T>(
  span: Span,
  inner: Context,
  source: () => Observable<T>,
): Observable<T> {
  return new Observable((subscriber) => {
    const subscription = context.with(inner, () =>
      source().subscribe({
        next: (value) => subscriber.next(value),
        error: (error: unknown) => {
          endFailedOnce(span, error);
          subscriber.error(error);
        },
        complete: () => {
          endSpan(span);
          subscriber.complete();
        },
      }),
    );
    return () => {
      subscription.unsubscribe();
      if (span.isRecording()) endSpan(span);
    };
  });
}
