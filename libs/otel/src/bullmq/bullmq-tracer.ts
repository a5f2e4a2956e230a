import { type Context, type Link, SpanKind, context, createContextKey } from '@opentelemetry/api';
import type { Beginning } from '../messages/incoming.js';
import {
  MESSAGING_DESTINATION_NAME,
  MESSAGING_OPERATION_NAME,
  MESSAGING_OPERATION_TYPE,
  MESSAGING_SYSTEM,
} from '../messages/message-attributes.js';
import type { Tracing } from '../tracing/tracing.js';
import { BULLMQ_JOB } from '../messages/message-spans.js';
import { BullmqSpan, NO_SPAN } from './bullmq-span.js';

const LINKS = createContextKey('apix.otel.links');

/** A context for {@link BullmqTracer.startSpan}, which has no parameter for links. */
export function withLinks({ context: outer, links }: Beginning): Context {
  return links === undefined ? outer : outer.setValue(LINKS, links);
}

/** The tracer of BullMQ. */
export class BullmqTracer {
  constructor(
    private readonly tracing: Tracing,
    private readonly hasInternal: boolean,
  ) {}

  /**
   * @param name an operation of BullMQ, and the queue where there is one
   * @param options the kind of the span, numbered as by OpenTelemetry
   */
  startSpan(
    name: string,
    { kind }: { readonly kind: number },
    outer: Context = context.active(),
  ): BullmqSpan {
    const isJob = kind === SpanKind.CONSUMER;
    if (!isJob && kind !== SpanKind.PRODUCER && !this.hasInternal) return NO_SPAN;
    const operation = isJob ? 'process' : 'send';
    // The name of a queue has no space before it but this one.
    const queue = name.slice(name.indexOf(' ') + 1);
    const isNamed = kind === SpanKind.CONSUMER || kind === SpanKind.PRODUCER;
    const links = isJob ? (outer.getValue(LINKS) as Link[] | undefined) : undefined;
    const span = this.tracing.tracer.startSpan(
      isNamed ? `${operation} ${queue}` : name,
      {
        kind: isNamed ? kind : SpanKind.INTERNAL,
        attributes: {
          [MESSAGING_SYSTEM]: BULLMQ_JOB,
          ...(isNamed && {
            [MESSAGING_OPERATION_NAME]: operation,
            [MESSAGING_OPERATION_TYPE]: operation,
            [MESSAGING_DESTINATION_NAME]: queue,
          }),
        },
        ...(links && { links }),
      },
      outer,
    );
    return new BullmqSpan(span, isJob);
  }
}
