import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
} from '@opentelemetry/api';
import { BULLMQ_JOB } from '../messages/message-spans.js';
import * as names from '../names.js';
import type { Beginning, Tracing } from '../tracing/tracing.js';
import { BullmqSpan, NO_SPAN } from './bullmq-span.js';

const LINKS = createContextKey('apix.otel.links');

/** A context for {@link BullmqTracer.startSpan}, which has no parameter for links. */
export function withLinks({ context: outer, links }: Beginning): Context {
  return links === undefined ? outer : outer.setValue(LINKS, links);
}

/** The operations of BullMQ that the conventions for messaging name; all others are internal. */
const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['add', 'send'],
  ['addBulk', 'send'],
  ['addFlow', 'send'],
  ['addBulkFlows', 'send'],
  ['addNode', 'create'],
  ['process', 'process'],
]);

/** The tracer of BullMQ. */
export class BullmqTracer {
  constructor(
    private readonly tracing: Tracing,
    private readonly hasInternal: boolean,
  ) {}

  /**
   * @param name an operation of BullMQ, and its object, if it has one
   * @param options the kind of the span, numbered as by OpenTelemetry
   * @param from Default: none for a job, which begins a trace; otherwise the active context.
   */
  startSpan(name: string, { kind }: { readonly kind: number }, from?: Context): BullmqSpan {
    const space = name.indexOf(' ');
    const [done, target] = space < 0 ? [name] : [name.slice(0, space), name.slice(space + 1)];
    const operation = OPERATIONS.get(done ?? name);
    if (operation === undefined) return this.#internal(name, from);
    const attributes: Attributes = {
      [names.MESSAGING_SYSTEM]: BULLMQ_JOB,
      [names.MESSAGING_OPERATION_NAME]: operation,
      [names.MESSAGING_OPERATION_TYPE]: operation,
    };
    const isJob = (kind as SpanKind) === SpanKind.CONSUMER;
    if (!isJob) {
      // The object may be a queue and the name of a job: the queue follows as an attribute.
      const span = this.tracing.tracer.startSpan(operation, { kind, attributes }, from);
      return new BullmqSpan(span, { operation, isJob });
    }
    attributes[names.MESSAGING_DESTINATION_NAME] = target;
    const outer = from ?? ROOT_CONTEXT;
    const links = outer.getValue(LINKS) as Link[] | undefined;
    const options = { kind, attributes, ...(links && { links }) };
    const span = this.tracing.tracer.startSpan(`process ${target}`, options, outer);
    return new BullmqSpan(span, { operation, isJob });
  }

  #internal(name: string, from: Context = context.active()): BullmqSpan {
    if (!this.hasInternal) return NO_SPAN;
    const attributes = { [names.MESSAGING_SYSTEM]: BULLMQ_JOB };
    return new BullmqSpan(this.tracing.tracer.startSpan(name, { attributes }, from), {});
  }
}
