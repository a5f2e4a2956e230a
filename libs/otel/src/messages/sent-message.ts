import { type Context, SpanKind, type TextMapSetter, context, trace } from '@opentelemetry/api';
import type { Tracing } from '../tracing/tracing.js';
import * as names from '../names.js';
import { endSpan } from '../tracing/guarded-tracer.js';

/** Headers to put into a message. */
export type TraceHeaders = Record<string, string>;

const HEADER_SETTER: TextMapSetter<TraceHeaders> = {
  set: (headers, name, value) => {
    headers[name] = value;
  },
};

/**
 * Makes the span of a message that is handed to a client, and returns the headers that pass it to the
 * receiver; there are none without a propagator. The span lasts only for that moment: a client does not
 * report when a message has been sent.
 */
export function sentMessage(tracing: Tracing, system: string, destination: string): TraceHeaders {
  const active = context.active();
  const span = tracing.tracer.startSpan(
    `send ${destination}`,
    {
      kind: SpanKind.PRODUCER,
      attributes: {
        [names.MESSAGING_SYSTEM]: system,
        [names.MESSAGING_OPERATION_NAME]: 'send',
        [names.MESSAGING_OPERATION_TYPE]: 'send',
        [names.MESSAGING_DESTINATION_NAME]: destination,
      },
    },
    active,
  );
  const headers = headersFor(tracing, trace.setSpan(active, span));
  endSpan(span);
  return headers;
}

/** The headers that carry a context. */
export function headersFor(tracing: Tracing, from: Context): TraceHeaders {
  const headers: TraceHeaders = {};
  tracing.send(from, headers, HEADER_SETTER);
  return headers;
}
