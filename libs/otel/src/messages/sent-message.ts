import { type Context, SpanKind, type TextMapSetter, context, trace } from '@opentelemetry/api';
import type { Tracing } from '../tracing/tracing.js';
import {
  MESSAGING_DESTINATION_NAME,
  MESSAGING_OPERATION_NAME,
  MESSAGING_OPERATION_TYPE,
  MESSAGING_SYSTEM,
} from '../names.js';
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
        [MESSAGING_SYSTEM]: system,
        [MESSAGING_OPERATION_NAME]: 'send',
        [MESSAGING_OPERATION_TYPE]: 'send',
        [MESSAGING_DESTINATION_NAME]: destination,
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
