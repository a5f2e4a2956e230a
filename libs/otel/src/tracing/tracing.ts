import type { ActiveTrace } from '@apix/contracts';
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
import { SCOPE_NAME } from '../scope-name.js';
import { GuardedTracer } from './guarded-tracer.js';
import { tellDiag } from './tell-diag.js';

/** Whether what a caller says about its trace is believed. */
export type IncomingTrace = 'parent' | 'link' | 'ignore';

export interface TracingInit {
  /** Where spans go; its owner shuts it down. Default: the global one, also one that is set later. */
  readonly tracerProvider?: TracerProvider | undefined;
}

/** What all entry points and clients make their spans with. */
export class Tracing {
  readonly tracer: Pick<Tracer, 'startSpan'>;

  constructor({ tracerProvider }: TracingInit = {}) {
    this.tracer = new GuardedTracer((tracerProvider ?? trace).getTracer(SCOPE_NAME));
  }

  /**
   * What a caller says: its span as the parent, its baggage, by the app's propagator. Where that one throws, the
   * caller has said nothing.
   *
   * @param outer Default: nothing but what the caller says.
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
