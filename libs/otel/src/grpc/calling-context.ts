import type { StagedCall } from '@apix/contracts';
import {
  type Context,
  type SpanContext,
  context,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api';
import type { IncomingTrace, Tracing } from '../tracing/tracing.js';
import { metadataGetter } from './metadata-carrier.js';

const activeContext = (): Context => context.active();

/** The context that a call made in this process comes from, where a span is active in it; undefined for any other call. */
export function localParent(call: StagedCall): Context | undefined {
  const local = call.inCallersContext?.(activeContext);
  return local !== undefined && trace.getSpanContext(local) !== undefined ? local : undefined;
}

/** What a caller says in its metadata. What it says wrong, it has not said. */
export function saidParent(tracing: Tracing, { metadata }: StagedCall): Context {
  return tracing.received(metadata, metadataGetter);
}

/** The caller's span, for a link to it; undefined where there is none, or it is not wanted. */
export function linkedSpan(
  tracing: Tracing,
  call: StagedCall,
  incoming: IncomingTrace,
): SpanContext | undefined {
  if (incoming !== 'link') return undefined;
  const caller = trace.getSpanContext(saidParent(tracing, call));
  return caller !== undefined && isSpanContextValid(caller) ? caller : undefined;
}
