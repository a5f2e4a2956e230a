import {
  type Attributes,
  SpanKind,
  SpanStatusCode,
  context,
  propagation,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import {
  type ReadableSpan,
  type Sampler,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { Tracing } from './tracing.js';

/** What tests say of a span. */
export interface ToldSpan {
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly attributes: Attributes;
}

/** A process with tracing set up, and the spans that have ended in it. */
export class EndedSpans implements SpanProcessor {
  readonly all: ReadableSpan[] = [];
  readonly tracerProvider: TracerProvider;
  readonly tracing: Tracing;
  #started = 0;
  #heard: (() => void) | undefined;

  constructor(sampler?: Sampler) {
    this.tracerProvider = new TracerProvider({
      spanProcessors: [this],
      ...(sampler && { sampler }),
    });
    this.tracing = new Tracing({ tracerProvider: this.tracerProvider });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
    propagation.setGlobalPropagator(new CompositePropagator({ propagators }));
    trace.setGlobalTracerProvider(this.tracerProvider);
  }

  get started(): number {
    return this.#started;
  }

  onStart(): void {
    this.#started++;
  }

  onEnd(span: ReadableSpan): void {
    this.all.push(span);
    this.#heard?.();
  }

  /** Resolves when so many have ended. */
  async until(count: number): Promise<readonly ReadableSpan[]> {
    while (this.all.length < count) {
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
    return this.all;
  }

  /** The only one, once it has ended. */
  async only(): Promise<ToldSpan> {
    const spans = await this.until(1);
    if (spans.length > 1) throw new Error(`${spans.length} spans have ended`);
    return told(spans[0]!);
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}

  /** Takes back what is global. */
  close(): void {
    trace.disable();
    context.disable();
    propagation.disable();
  }
}

export function told({ name, kind, status, attributes }: ReadableSpan): ToldSpan {
  return { name, kind: SpanKind[kind], status: SpanStatusCode[status.code], attributes };
}
