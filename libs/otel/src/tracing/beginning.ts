import {
  type Context,
  type Link,
  type TextMapGetter,
  ROOT_CONTEXT,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api';
import { withoutSpans } from './entry-span.js';
import type { IncomingTrace, Tracing } from './tracing.js';

/** What a span begins with: the context that it is made in, and what it is linked to. */
export interface Beginning {
  readonly context: Context;
  readonly links?: Link[];
}

/** Of what nothing is known of, or wanted. */
export const ALONE: Beginning = { context: ROOT_CONTEXT };

/**
 * What the span at an entry point makes of what a caller says. Only `parent` believes the caller, and takes over its
 * baggage.
 */
// Why: docs/decisions/0290
export function beginningOf<Carrier>(
  tracing: Tracing,
  incoming: IncomingTrace,
  carrier: Carrier,
  getter: TextMapGetter<Carrier>,
): Beginning {
  if (incoming === 'ignore') return ALONE;
  const said = tracing.received(carrier, getter);
  if (incoming === 'parent') return { context: said };
  const links = linksTo(said);
  return links === undefined ? ALONE : { context: ROOT_CONTEXT, links };
}

/**
 * What the span of work begins with that is done after what has set it off: a trace of its own, linked to that, and
 * all else that the context has, such as baggage. Whoever let that in has decided whether to believe it.
 */
export function beginningAfter(from: Context): Beginning {
  const links = linksTo(from);
  const outer = withoutSpans(from);
  return links === undefined ? { context: outer } : { context: outer, links };
}

function linksTo(from: Context): Link[] | undefined {
  const ids = trace.getSpanContext(from);
  return ids === undefined || !isSpanContextValid(ids) ? undefined : [{ context: ids }];
}
