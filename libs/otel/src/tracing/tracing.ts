import type { ActiveTrace } from '@apix/contracts';
import { checkedOptions, objectWith, type OptionTable } from '@apix/contracts/options';
import {
  type Context,
  type Span,
  type TextMapGetter,
  type TextMapSetter,
  type Tracer,
  type TracerProvider,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  context,
  isSpanContextValid,
  propagation,
  trace,
} from '@opentelemetry/api';
import { OtelError } from '../errors.js';
import { SCOPE_NAME } from '../scope-name.js';
import { GuardedTracer } from './guarded-tracer.js';
import { TRACER_PROVIDER } from './option-kinds.js';
import { tellDiag } from './tell-diag.js';

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

  /** @throws OtelError for wrong options. */
  constructor(init: TracingInit = {}) {
    const { tracerProvider } = checkedOptions(INIT, init, (found) => new OtelError(found));
    this.tracer = new GuardedTracer((tracerProvider ?? trace).getTracer(SCOPE_NAME));
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
      tellDiag('otel: the propagator has failed to read a trace', error);
      return outer;
    }
  }

  /** Tells the other side which span, and which baggage, its work is for; less of it where the propagator throws. */
  send<Carrier>(from: Context, carrier: Carrier, setter: TextMapSetter<Carrier>): void {
    try {
      propagation.inject(from, carrier, setter);
    } catch (error) {
      tellDiag('otel: the propagator has failed to write a trace', error);
    }
  }

  /** Runs work in a span, and with whatever else the context has. */
  within<T>(outer: Context, span: Span, run: () => T): T {
    return context.with(trace.setSpan(outer, span), run);
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
