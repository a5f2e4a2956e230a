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

/** The start of a span: the context that it is created in, and its links. */
export interface Beginning {
  readonly context: Context;
  readonly links?: Link[];
}

/** Of what nothing is known of, or wanted. */
export const ALONE: Beginning = { context: ROOT_CONTEXT };

/**
 * How the span at an entry point relates to the trace of the caller. Only `parent` trusts the caller, and
 * takes over its baggage.
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
 * The start of the span of work that is done after its trigger: its own trace, linked to the trigger, and
 * everything else in the context, such as baggage. The entry point of the trigger has decided whether to
 * trust that.
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
