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
  type Sampler,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { afterEach } from '@jest/globals';

/** What tests compare of a span: its name, its kind, how it ended, and its children in the order of their names. */
export interface SpanTree {
  readonly name: string;
  readonly kind: keyof typeof SpanKind;
  readonly status: keyof typeof SpanStatusCode;
  readonly children: readonly SpanTree[];
}

/** A provider that keeps its spans, and the globals that tracing needs; all gone after the test. */
export class Recorded {
  readonly exporter = new InMemorySpanExporter();
  readonly provider: TracerProvider;

  constructor(sampler?: Sampler) {
    this.provider = new TracerProvider({
      spanProcessors: [new SimpleSpanProcessor({ exporter: this.exporter })],
      ...(sampler && { sampler }),
    });
    trace.setGlobalTracerProvider(this.provider);
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(
      new CompositePropagator({
        propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
      }),
    );
  }

  /** Those that have ended. */
  get spans(): readonly ReadableSpan[] {
    return this.exporter.getFinishedSpans();
  }

  named(name: string): ReadableSpan {
    const found = this.spans.filter((span) => span.name === name);
    if (found.length !== 1) throw new Error(`${found.length} spans are named ${name}`);
    return found[0]!;
  }

  /** All spans, each below its parent. */
  get trees(): readonly SpanTree[] {
    const ids = new Set(this.spans.map((span) => span.spanContext().spanId));
    const isRoot = ({ parentSpanContext: parent }: ReadableSpan): boolean =>
      parent === undefined || !ids.has(parent.spanId);
    return this.#treesOf(this.spans.filter(isRoot));
  }

  /** The trees of calls, without what is above them. */
  get rpcTrees(): readonly SpanTree[] {
    const rpc = (trees: readonly SpanTree[]): readonly SpanTree[] =>
      trees.flatMap((tree) =>
        tree.name.includes('/') && !tree.name.includes(' ') ? [tree] : rpc(tree.children),
      );
    return rpc(this.trees);
  }

  #treesOf(spans: readonly ReadableSpan[]): readonly SpanTree[] {
    return spans
      .map((span) => ({
        name: span.name,
        kind: SpanKind[span.kind] as keyof typeof SpanKind,
        status: SpanStatusCode[span.status.code] as keyof typeof SpanStatusCode,
        children: this.#treesOf(
          this.spans.filter(
            ({ parentSpanContext: parent }) => parent?.spanId === span.spanContext().spanId,
          ),
        ),
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}

afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});
