import { SpanKind, SpanStatusCode, context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** Registers all that tracing needs, and keeps the spans that have ended. */
export function recordSpans(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  );
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(
    new CompositePropagator({
      propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
    }),
  );
  return exporter;
}

/** Takes back what {@link recordSpans} has registered. */
export function forgetSpans(): void {
  trace.disable();
  context.disable();
  propagation.disable();
}

/** A span in short: kind, name, and ERROR with its type where it has failed. */
export function brief({ kind, name, status, attributes }: ReadableSpan): string {
  const failed = status.code === SpanStatusCode.ERROR;
  return `${SpanKind[kind]} ${name}${failed ? ` ERROR ${String(attributes['error.type'])}` : ''}`;
}

/** All spans in short, in order of their beginning, each after those it is in. */
export function pathsOf(spans: readonly ReadableSpan[]): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const pathOf = (span: ReadableSpan): string => {
    const parent = byId.get(span.parentSpanContext?.spanId ?? '');
    return parent === undefined ? brief(span) : `${pathOf(parent)} > ${brief(span)}`;
  };
  return spans.map(pathOf).toSorted();
}
