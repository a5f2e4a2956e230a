import { type AttributeValue, type Context, type Span, trace } from '@opentelemetry/api';
import {
  MESSAGING_BATCH_COUNT,
  MESSAGING_MESSAGE_ID,
} from '../messages/message-attributes.js';
import { BULLMQ_JOB } from '../messages/message-spans.js';
import { withMessage } from '../messages/work-mark.js';
import { recordFailure } from '../tracing/span-failure.js';

/** What of BullMQ's attributes is kept, under which names; results, options and reasons are the app's own. */
const KEPT: Readonly<Record<string, string>> = {
  'bullmq.job.id': MESSAGING_MESSAGE_ID,
  'bullmq.job.bulk.count': MESSAGING_BATCH_COUNT,
  'bullmq.job.name': 'bullmq.job.name',
  'bullmq.job.attempts.made': 'bullmq.job.attempts.made',
  'bullmq.worker.name': 'bullmq.worker.name',
};

type Attributes = Readonly<Record<string, unknown>>;

/** A span as BullMQ uses it. */
export class BullmqSpan {
  constructor(
    private readonly span: Span | null,
    private readonly isJob: boolean,
  ) {}

  setSpanOnContext(outer: Context): Context {
    if (this.span === null) return outer;
    const inner = trace.setSpan(outer, this.span);
    return this.isJob ? withMessage(inner, BULLMQ_JOB) : inner;
  }

  setAttribute(name: string, value: unknown): void {
    const kept = KEPT[name];
    if (this.span === null || kept === undefined || !isText(value)) return;
    this.span.setAttribute(kept, value);
  }

  setAttributes(attributes: Attributes): void {
    if (this.span?.isRecording() !== true) return;
    for (const [name, value] of Object.entries(attributes)) this.setAttribute(name, value);
  }

  /** BullMQ adds none that say more than how the job has ended, and why, which the exception says. */
  addEvent(): void {}

  recordException(exception: unknown): void {
    if (this.span?.isRecording() === true) recordFailure(this.span, exception);
  }

  end(): void {
    this.span?.end();
  }
}

/** For what gets no span: what runs in it is in the span around it. */
export const NO_SPAN = new BullmqSpan(null, false);

function isText(value: unknown): value is AttributeValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
