import type { WorkOrigin } from '@apix/contracts';
import type { OptionTable } from '@apix/contracts/internal';
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  type Span,
  SpanKind,
} from '@opentelemetry/api';
import { beginningOfJob, metadataOf } from '../bullmq/job-beginning.js';
import * as names from '../names.js';
import { OpenSpan } from '../spans/open-span.js';
import { INCOMING } from '../tracing/option-kinds.js';
import {
  ALONE,
  type Beginning,
  beginningAfter,
  beginningOf,
  type IncomingTrace,
  type Tracing,
} from '../tracing/tracing.js';
import { HEADER_GETTER, messageHeadersOf, messageIdOf, messagePlaceOf } from './message-headers.js';

const MARK = createContextKey('apix.otel.message');

/** Notes in the context of a span which message it is of. */
export function withMessage(context: Context, message: unknown): Context {
  return context.setValue(MARK, message);
}

/** Whether a message already has a span, from the code that saw it first. */
function hasMessageSpan(context: Context, message: unknown): boolean {
  return message !== undefined && context.getValue(MARK) === message;
}

export interface MessageSpansOptions {
  /** How the span of a message relates to the trace in its headers. Default: parent. */
  readonly incoming?: IncomingTrace | undefined;
  /** How the span of a job relates to the trace that added the job. Default: link. */
  readonly jobs?: IncomingTrace | undefined;
}

/** The allowed values of the options of spans of messages. */
export const MESSAGE_SPANS_OPTIONS = {
  incoming: INCOMING,
  jobs: INCOMING,
} satisfies OptionTable<MessageSpansOptions>;

/** The values shared by all messages of a destination. */
interface Kind {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

/** A message with this mark needs no second span: BullMQ reports a job only after it has one. */
export const BULLMQ_JOB = 'bullmq';

const WEBSOCKET = 'websocket';

/** Makes the spans of messages and of jobs, as the conventions for messaging have them. */
export class MessageSpans {
  readonly #kinds = new Map<string, Kind>();
  readonly #incoming: IncomingTrace;
  readonly #jobs: IncomingTrace;

  constructor(
    private readonly tracing: Tracing,
    { incoming = 'parent', jobs = 'link' }: MessageSpansOptions = {},
  ) {
    this.#incoming = incoming;
    this.#jobs = jobs;
  }

  /**
   * Begins the span of a message; undefined where it has one already.
   *
   * @param origin its destination must be one of few: the pattern of a handler, not what callers send.
   */
  begin(origin: WorkOrigin): OpenSpan | undefined {
    const { system, carrier } = origin;
    const active = context.active();
    const mark = system === BULLMQ_JOB ? BULLMQ_JOB : carrier;
    if (hasMessageSpan(active, mark)) return undefined;
    const { name, kind, attributes } = this.#kindOf(origin);
    const beginning = this.#beginningOf(origin, active);
    const { links } = beginning;
    const options = { kind, attributes, ...(links && { links }) };
    const span = this.tracing.tracer.startSpan(name, options, beginning.context);
    if (span.isRecording()) describe(span, origin);
    return new OpenSpan(span, withMessage(beginning.context, mark));
  }

  // Why: docs/decisions/0287
  #beginningOf({ system, carrier }: WorkOrigin, active: Context): Beginning {
    if (system === WEBSOCKET) return beginningAfter(active);
    if (system === BULLMQ_JOB) {
      return beginningOfJob(this.tracing, this.#jobs, metadataOf(carrier));
    }
    const headers = messageHeadersOf(carrier);
    if (headers === undefined) return ALONE;
    return beginningOf(this.tracing, this.#incoming, headers, HEADER_GETTER);
  }

  #kindOf({ system, destination = 'unknown' }: WorkOrigin): Kind {
    const key = `${system} ${destination}`;
    let kind = this.#kinds.get(key);
    if (kind === undefined) {
      kind = system === WEBSOCKET ? socketKind(destination) : brokerKind(system, destination);
      this.#kinds.set(key, kind);
    }
    return kind;
  }
}

function brokerKind(system: string | undefined, destination: string): Kind {
  return {
    name: `process ${destination}`,
    kind: SpanKind.CONSUMER,
    attributes: {
      ...(system !== undefined && { [names.MESSAGING_SYSTEM]: system }),
      [names.MESSAGING_OPERATION_NAME]: 'process',
      [names.MESSAGING_OPERATION_TYPE]: 'process',
      [names.MESSAGING_DESTINATION_NAME]: destination,
    },
  };
}

function socketKind(event: string): Kind {
  const attributes = {
    [names.NETWORK_PROTOCOL_NAME]: WEBSOCKET,
    [names.MESSAGING_DESTINATION_NAME]: event,
  };
  return { name: event, kind: SpanKind.SERVER, attributes };
}

function describe(span: Span, { carrier, messageId = messageIdOf(carrier) }: WorkOrigin): void {
  if (messageId !== undefined) span.setAttribute(names.MESSAGING_MESSAGE_ID, messageId);
  const { partition, offset } = messagePlaceOf(carrier);
  if (partition !== undefined) span.setAttribute(names.MESSAGING_PARTITION, partition);
  if (offset !== undefined) span.setAttribute(names.MESSAGING_KAFKA_OFFSET, offset);
}
