import { type AttributeValue, type Context, type Span, trace } from '@opentelemetry/api';
import { BULLMQ_JOB, withMessage } from '../messages/message-spans.js';
import {
  MESSAGING_BATCH_COUNT,
  MESSAGING_DESTINATION_NAME,
  MESSAGING_MESSAGE_ID,
} from '../names.js';
import { endSpan } from '../tracing/guarded-tracer.js';
import { recordFailure } from '../tracing/span-failure.js';

/**
 * The attributes of BullMQ that are kept, and their names; results, options and reasons are private to the
 * app.
 */
const KEPT: Readonly<Record<string, string>> = {
  'bullmq.job.id': MESSAGING_MESSAGE_ID,
  'bullmq.job.bulk.count': MESSAGING_BATCH_COUNT,
  'bullmq.job.name': 'bullmq.job.name',
  'bullmq.job.attempts.made': 'bullmq.job.attempts.made',
  'bullmq.worker.name': 'bullmq.worker.name',
};

const QUEUE = 'bullmq.queue.name';

export interface BullmqSpanKind {
  /** Its name in the conventions. Default: none. */
  readonly operation?: string;
  /** Whether it is of the run of a job. Default: false. */
  readonly isJob?: boolean;
}

/** A span as BullMQ uses it. */
export class BullmqSpan {
  constructor(
    private readonly span: Span | null,
    private readonly kind: BullmqSpanKind = {},
  ) {}

  setSpanOnContext(outer: Context): Context {
    if (this.span === null) return outer;
    const inner = trace.setSpan(outer, this.span);
    return this.kind.isJob === true ? withMessage(inner, BULLMQ_JOB) : inner;
  }

  setAttribute(name: string, value: unknown): void {
    const span = this.span;
    if (span?.isRecording() !== true || !isPlain(value)) return;
    if (name === QUEUE) return this.#toldQueue(span, String(value));
    const kept = KEPT[name];
    if (kept !== undefined) span.setAttribute(kept, value);
  }

  setAttributes(attributes: Readonly<Record<string, unknown>>): void {
    if (this.span?.isRecording() !== true) return;
    for (const [name, value] of Object.entries(attributes)) this.setAttribute(name, value);
  }

  /**
   * Only the event of a failed job says anything new: a worker does not report that as an exception.
   */
  addEvent(name: string, attributes: Readonly<Record<string, unknown>> = {}): void {
    if (name !== 'job failed') return;
    const reason = attributes['bullmq.job.failed.reason'];
    this.recordException(new Error(typeof reason === 'string' ? reason : name));
  }

  recordException(exception: unknown): void {
    if (this.span !== null) recordFailure(this.span, exception);
  }

  end(): void {
    if (this.span !== null) endSpan(this.span);
  }

  #toldQueue(span: Span, queue: string): void {
    span.setAttribute(MESSAGING_DESTINATION_NAME, queue);
    const { operation } = this.kind;
    // A flow of several queues has none.
    if (operation !== undefined && queue !== '') span.updateName(`${operation} ${queue}`);
  }
}

/** For what gets no span: what runs in it is in the span around it. */
export const NO_SPAN = new BullmqSpan(null);

function isPlain(value: unknown): value is AttributeValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
