import type { StagedCall } from '@apix/contracts';
import { type Context, context, trace } from '@opentelemetry/api';
import { type Beginning, beginningOf } from '../tracing/beginning.js';
import type { IncomingTrace, Tracing } from '../tracing/tracing.js';
import { metadataGetter } from './metadata-carrier.js';

const activeContext = (): Context => context.active();

/**
 * The context in which the span of a call begins: if the call is made in this process, the one that is
 * active there.
 */
export function beginningOfCall(
  tracing: Tracing,
  incoming: IncomingTrace,
  call: StagedCall,
): Beginning {
  const local = call.inCallersContext?.(activeContext);
  return local !== undefined && trace.getSpanContext(local) !== undefined
    ? { context: local }
    : beginningOf(tracing, incoming, call.metadata, metadataGetter);
}
