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
import { Tracing } from './tracing/tracing.js';

/** What tests say of a span. */
export interface SpanSummary {
  readonly name: string;
  readonly kind: string;
  readonly status: string;
  readonly exceptions: number;
  readonly attributes: Attributes;
}

/**
 * A process with all that tracing needs, in place of what was registered before, and the spans that have ended in
 * it, the first to end first.
 */
export class RecordedSpans implements SpanProcessor {
  readonly all: ReadableSpan[] = [];
  readonly tracerProvider: TracerProvider;
  readonly tracing: Tracing;
  #started = 0;
  #heard: (() => void) | undefined;

  constructor(sampler?: Sampler) {
    forgetSpans();
    this.tracerProvider = new TracerProvider({
      spanProcessors: [this],
      ...(sampler && { sampler }),
    });
    this.tracing = new Tracing({ tracerProvider: this.tracerProvider });
    trace.setGlobalTracerProvider(this.tracerProvider);
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
    propagation.setGlobalPropagator(new CompositePropagator({ propagators }));
  }

  /** How many have begun. */
  get started(): number {
    return this.#started;
  }

  get summaries(): SpanSummary[] {
    return this.all.map(summaryOf);
  }

  /** Each as `SERVER a > CLIENT b ERROR type`, below those above it that have ended. */
  get pathsAsEnded(): string[] {
    const byId = new Map(this.all.map((span) => [span.spanContext().spanId, span]));
    const pathOf = (span: ReadableSpan): string => {
      const parent = byId.get(span.parentSpanContext?.spanId ?? '');
      return parent === undefined ? brief(span) : `${pathOf(parent)} > ${brief(span)}`;
    };
    return this.all.map(pathOf);
  }

  /** The same in the order of the alphabet, in which a tree reads from above. */
  get paths(): string[] {
    return this.pathsAsEnded.toSorted();
  }

  named(name: string): ReadableSpan {
    const found = this.all.filter((span) => span.name === name);
    if (found.length !== 1) throw new Error(`${found.length} spans are named ${name}`);
    return found[0]!;
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
  async only(): Promise<SpanSummary> {
    const spans = await this.until(1);
    if (spans.length > 1) throw new Error(`${spans.length} spans have ended`);
    return summaryOf(spans[0]!);
  }

  /** Forgets those that have ended. */
  reset(): void {
    this.all.length = 0;
  }

  onStart(): void {
    this.#started++;
  }

  onEnd(span: ReadableSpan): void {
    this.all.push(span);
    this.#heard?.();
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}

/** Takes back what {@link RecordedSpans} has registered. */
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

export function summaryOf({ name, kind, status, events, attributes }: ReadableSpan): SpanSummary {
  return {
    name,
    kind: SpanKind[kind],
    status: SpanStatusCode[status.code],
    exceptions: events.filter((event) => event.name === 'exception').length,
    attributes,
  };
}
