import { WORK_SCOPE, type WorkKind, type WorkOrigin, type WorkScope } from '@apix/contracts';
import { ROOT_CONTEXT, SpanKind, context, trace } from '@opentelemetry/api';
import { WORK_KIND, WORK_NAME } from '../names.js';
import { MessageSpans } from '../messages/message-spans.js';
import { Tracing } from '../tracing/tracing.js';
import { follow } from './follow.js';
import { notingFailure } from './follow-promise.js';
import { OpenSpan } from './open-span.js';

/**
 * Gives each startup task, cron run and message its span, active while it runs. That of a message whose
 * origin is known is named and described by the conventions for messaging; all others are named
 * `<kind> <name>`. A cron run is the root of a trace. A service gets no span: it lasts as long as the
 * process.
 */
export class SpanScope implements WorkScope {
  readonly [WORK_SCOPE] = true as const;

  constructor(
    private readonly tracing = new Tracing(),
    /** Null: messages get no spans. */
    private readonly messages: MessageSpans | null = new MessageSpans(tracing),
  ) {}

  run<T>(kind: WorkKind, name: string, fn: () => T, origin?: WorkOrigin): T {
    if (kind === 'service') return fn();
    if (kind === 'message') {
      if (this.messages === null) return fn();
      if (origin !== undefined) return this.#runMessage(this.messages, name, fn, origin);
    }
    // The span in which a timer was created is over when it fires.
    const outer = kind === 'cron' ? ROOT_CONTEXT : context.active();
    const span = this.tracing.tracer.startSpan(
      `${kind} ${name}`,
      {
        kind: kind === 'message' ? SpanKind.CONSUMER : SpanKind.INTERNAL,
        attributes: { [WORK_KIND]: kind, [WORK_NAME]: name },
      },
      outer,
    );
    return follow(new OpenSpan(span, outer), fn);
  }

  #runMessage<T>(messages: MessageSpans, name: string, fn: () => T, origin: WorkOrigin): T {
    const begun = messages.begin(origin);
    if (begun === undefined) return notingFailure(trace.getActiveSpan(), fn);
    begun.span.setAttribute(WORK_KIND, 'message').setAttribute(WORK_NAME, name);
    return follow(begun, fn);
  }
}
