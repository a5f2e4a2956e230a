import { type Context, type Link, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { IncomingTrace } from './tracing.js';

/** What a span begins with: its parent and the baggage in the context, or a link. */
export interface Beginning {
  readonly context: Context;
  readonly links?: Link[];
}

/** Makes what was received with a message the parent of its span, a link of it, or nothing. */
export function beginningOf(received: Context, incoming: IncomingTrace): Beginning {
  if (incoming === 'parent') return { context: received };
  if (incoming === 'ignore') return { context: ROOT_CONTEXT };
  const remote = trace.getSpanContext(received);
  if (remote === undefined) return { context: received };
  return { context: trace.deleteSpan(received), links: [{ context: remote }] };
}
