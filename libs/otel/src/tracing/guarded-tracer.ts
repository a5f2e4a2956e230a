import {
  type Context,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanOptions,
  type TimeInput,
  type Tracer,
  type TracerProvider,
  diag,
  trace,
} from '@opentelemetry/api';
import { SCOPE_NAME } from '../names.js';

type SpanStarter = Pick<Tracer, 'startSpan'>;

/**
 * A tracer that loses the span, and never the work, if the app's own sampler or span processor throws: most
 * spans begin where nothing catches errors.
 */
export class GuardedTracer implements SpanStarter {
  readonly #tracer: Tracer;

  constructor(provider: TracerProvider = trace) {
    this.#tracer = provider.getTracer(SCOPE_NAME);
  }

  startSpan(name: string, options?: SpanOptions, outer?: Context): Span {
    try {
      return this.#tracer.startSpan(name, options, outer);
    } catch (error) {
      diagError(`otel: no span was begun for ${name}`, error);
      return trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
    }
  }
}

/**
 * Ends a span; errors of a span processor are only reported to the log of OpenTelemetry.
 *
 * @param at Default: now.
 */
export function endSpan(span: Span, at?: TimeInput): void {
  try {
    span.end(at);
  } catch (error) {
    diagError('otel: a span processor has failed', error);
  }
}

const offered: SpanStarter[] = [];

/**
 * Sets the tracer for methods into which nothing can be injected; of several the last one counts.
 *
 * @returns a function that undoes it.
 */
export function offerTracer(tracer: SpanStarter): () => void {
  offered.push(tracer);
  return () => {
    const index = offered.lastIndexOf(tracer);
    if (index >= 0) offered.splice(index, 1);
  };
}

/** The last tracer that is offered; if there is none, one of the current global provider. */
export function currentTracer(): SpanStarter {
  return offered.at(-1) ?? new GuardedTracer();
}

/** Writes an error to the log of OpenTelemetry. A logger of the app's own that throws costs the line alone. */
export function diagError(message: string, error?: unknown): void {
  try {
    if (error === undefined) diag.error(message);
    else diag.error(message, error);
  } catch {
    // There is no other log to write to, and no reason to fail the traced work.
  }
}
