import { context, trace } from '@opentelemetry/api';

const tracer = () => trace.getTracer('app');

/** Runs something in a span named `root`. */
export function within<T>(run: () => T): T {
  const span = tracer().startSpan('root');
  return context.with(trace.setSpan(context.active(), span), () => {
    const result = run();
    if (result instanceof Promise) return result.finally(() => span.end()) as T;
    span.end();
    return result;
  });
}

/** Starts and ends a span of somebody below. */
export function query(): void {
  tracer().startSpan('query').end();
}

/** A path of spans that are all of this process. */
export function internal(path: string): string {
  return path
    .split(' > ')
    .map((name) => `INTERNAL ${name}`)
    .join(' > ');
}
