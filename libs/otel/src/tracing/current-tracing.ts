import { trace } from '@opentelemetry/api';
import { SCOPE_NAME } from '../names.js';
import { GuardedTracer } from './guarded-tracer.js';
import type { Tracing } from './tracing.js';

const open: Tracing[] = [];

/**
 * Sets the tracing for methods into which nothing can be injected; of several the last one counts.
 *
 * @returns a function that undoes it.
 */
export function offerTracing(tracing: Tracing): () => void {
  open.push(tracing);
  return () => {
    const index = open.lastIndexOf(tracing);
    if (index >= 0) open.splice(index, 1);
  };
}

/** The tracer of the last one that is open; if there is none, the current global one. */
export function currentTracer(): Tracing['tracer'] {
  return open.at(-1)?.tracer ?? new GuardedTracer(trace.getTracer(SCOPE_NAME));
}
