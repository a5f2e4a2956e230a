import { type Attributes, context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** What a test has to see of a span. */
export interface SeenSpan {
  readonly name: string;
  readonly parent?: string;
  readonly status: number;
  readonly exceptions: number;
  readonly attributes: Attributes;
}

/** Tracing for one test; `spans` are those that have ended, the first to end first. */
export class TestTraces {
  readonly exporter = new InMemorySpanExporter();
  readonly provider: TracerProvider;

  constructor(sampler?: Sampler) {
    const spanProcessors = [new SimpleSpanProcessor({ exporter: this.exporter })];
    this.provider = new TracerProvider({ spanProcessors, ...(sampler && { sampler }) });
    trace.setGlobalTracerProvider(this.provider);
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  }

  /** Runs something in a span named `root`. */
  within<T>(run: () => T): T {
    const span = this.provider.getTracer('test').startSpan('root');
    return context.with(trace.setSpan(context.active(), span), () => {
      const result = run();
      if (result instanceof Promise) return result.finally(() => span.end()) as T;
      span.end();
      return result;
    });
  }

  /** Starts and ends a span of somebody below. */
  query(): void {
    this.provider.getTracer('test').startSpan('query', {}, context.active()).end();
  }

  get spans(): SeenSpan[] {
    const all = this.exporter.getFinishedSpans();
    const names = new Map(all.map((span) => [span.spanContext().spanId, span.name]));
    return all.map((span) => seen(span, names));
  }

  /** As `parent > name`. */
  get edges(): string[] {
    return this.spans.map(({ name, parent }) =>
      parent === undefined ? name : `${parent} > ${name}`,
    );
  }

  close(): void {
    trace.disable();
    context.disable();
    propagation.disable();
  }
}

function seen(span: ReadableSpan, names: ReadonlyMap<string, string>): SeenSpan {
  const parent = names.get(span.parentSpanContext?.spanId ?? '');
  const { name, attributes, status, events } = span;
  return {
    name,
    ...(parent !== undefined && { parent }),
    status: status.code,
    exceptions: events.filter((event) => event.name === 'exception').length,
    attributes,
  };
}
