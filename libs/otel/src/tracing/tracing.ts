import {
  SERVED_REQUESTS,
  type RequestFollower,
  type ServedOutcome,
  type ServedRequests,
} from '@apix/contracts';
import { type ActiveTrace, objectWith, type OptionTable } from '@apix/contracts/internal';
import {
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type TextMapGetter,
  type TextMapSetter,
  trace,
  type Tracer,
  type TracerProvider,
} from '@opentelemetry/api';
import { otelOptions } from '../errors.js';
import { withoutSpans } from './entry-span.js';
import { GuardedTracer, diagError } from './guarded-tracer.js';
import { TRACER_PROVIDER } from './option-kinds.js';

/** Whether the trace sent by a caller is trusted. */
export type IncomingTrace = 'parent' | 'link' | 'ignore';

export interface TracingInit {
  /** Receives the spans; its owner shuts it down. Default: the global one, also one that is set later. */
  readonly tracerProvider?: TracerProvider | undefined;
}

const INIT = { tracerProvider: TRACER_PROVIDER } satisfies OptionTable<TracingInit>;

/** The tracing that all entry points and clients use. */
export class Tracing {
  readonly tracer: Pick<Tracer, 'startSpan'>;
  /** For those who follow the requests and calls that have ended. */
  readonly requests = new EndedRequests();

  /** @throws OtelError for wrong options. */
  constructor(init: TracingInit = {}) {
    const { tracerProvider } = otelOptions(INIT, init);
    this.tracer = new GuardedTracer(tracerProvider);
  }

  /**
   * The context sent by a caller: its span as the parent, its baggage, read by the app's propagator. If
   * that throws, the caller's context is ignored.
   *
   * @param outer Default: only the context of the caller.
   */
  received<Carrier>(
    carrier: Carrier,
    getter: TextMapGetter<Carrier>,
    outer: Context = ROOT_CONTEXT,
  ): Context {
    try {
      return propagation.extract(outer, carrier, getter);
    } catch (error) {
      diagError('otel: the propagator has failed to read a trace', error);
      return outer;
    }
  }

  /** Sends a context to the other side: its span and its baggage; less of it where the propagator throws. */
  send<Carrier>(from: Context, carrier: Carrier, setter: TextMapSetter<Carrier>): void {
    try {
      propagation.inject(from, carrier, setter);
    } catch (error) {
      diagError('otel: the propagator has failed to write a trace', error);
    }
  }

  /** Runs work in a span, and with whatever else the context has. */
  within<T>(outer: Context, span: Span, run: () => T): T {
    return context.with(trace.setSpan(outer, span), run);
  }
}

/** Reports each request and call that has ended to those who follow, whether or not its span is sampled. */
export class EndedRequests implements ServedRequests {
  readonly [SERVED_REQUESTS] = true as const;
  readonly #followers = new Set<RequestFollower>();

  follow(follower: RequestFollower): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** @param durationMs in milliseconds. */
  report(name: string, durationMs: number, outcome: ServedOutcome): void {
    for (const follower of this.#followers) {
      try {
        follower(name, durationMs, outcome);
      } catch {
        // What looks at requests must not fail them.
      }
    }
  }
}

/** The ids of the active span, for loggers. */
export const activeSpanIds: ActiveTrace = () => {
  const ids = trace.getActiveSpan()?.spanContext() ?? INVALID_SPAN_CONTEXT;
  return isSpanContextValid(ids) ? ids : undefined;
};

/** An option that is the app's tracing. */
export const TRACING = objectWith<Tracing>(
  'the tracing of TracingModule or openTracing()',
  'received',
  'send',
);

/** The start of a span: the context that it is created in, and its links. */
export interface Beginning {
  readonly context: Context;
  readonly links?: Link[];
}

/** Of what nothing is known of, or wanted. */
export const ALONE: Beginning = { context: ROOT_CONTEXT };

/**
 * How the span at an entry point relates to the trace of the caller. Only `parent` trusts the caller, and
 * takes over its baggage.
 */
// Why: docs/decisions/0290
export function beginningOf<Carrier>(
  tracing: Tracing,
  incoming: IncomingTrace,
  carrier: Carrier,
  getter: TextMapGetter<Carrier>,
): Beginning {
  if (incoming === 'ignore') return ALONE;
  const said = tracing.received(carrier, getter);
  if (incoming === 'parent') return { context: said };
  const links = linksTo(said);
  return links === undefined ? ALONE : { context: ROOT_CONTEXT, links };
}

/**
 * The start of the span of work that is done after its trigger: its own trace, linked to the trigger, and
 * everything else in the context, such as baggage. The entry point of the trigger has decided whether to
 * trust that.
 */
export function beginningAfter(from: Context): Beginning {
  const links = linksTo(from);
  const outer = withoutSpans(from);
  return links === undefined ? { context: outer } : { context: outer, links };
}

function linksTo(from: Context): Link[] | undefined {
  const ids = trace.getSpanContext(from);
  return ids === undefined || !isSpanContextValid(ids) ? undefined : [{ context: ids }];
}
