import {
  type TextMapPropagator,
  type TracerProvider,
  context,
  propagation,
  trace,
} from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { Sampler, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import { TracingSetupError } from './tracing-setup-error.js';

/** What a provider of this package's own is made of. */
export interface ExportingProviderInit {
  /** Where spans are sent. Default: nowhere. */
  readonly exporter?: SpanExporter | undefined;
  /** What else is told of each span. Default: nothing. */
  readonly processors?: readonly SpanProcessor[] | undefined;
  /** Which traces are recorded. Default: as the SDK does, all but those whose caller has decided against it. */
  readonly sampler?: Sampler | undefined;
  /** What the spans are of. Default: from the environment, as the SDK does. */
  readonly resource?: Resource | undefined;
}

/** A provider, and what else tracing needs in a process that has nothing. */
export interface ExportingProvider {
  readonly tracerProvider: TracerProvider;
  /** Sends what is left, and takes back what it has registered. */
  close(): Promise<void>;
}

/**
 * Makes a provider, and registers it, a context manager and the propagators of W3C as the global ones,
 * each only where the process has none.
 *
 * @throws TracingSetupError where a package of OpenTelemetry is not installed.
 */
export async function exportingProvider({
  exporter,
  processors = [],
  sampler,
  resource,
}: ExportingProviderInit): Promise<ExportingProvider> {
  const [sdk, { AsyncLocalStorageContextManager }, core] = await installed();
  const batches = exporter === undefined ? [] : [new sdk.BatchSpanProcessor({ exporter })];
  const provider = new sdk.TracerProvider({
    spanProcessors: [...processors, ...batches],
    ...(sampler && { sampler }),
    ...(resource && { resource }),
  });
  const undo: (() => void)[] = [];
  if (!hasContextManager()) {
    const manager = new AsyncLocalStorageContextManager().enable();
    if (context.setGlobalContextManager(manager)) undo.push(() => context.disable());
  }
  if (propagation.fields().length === 0 && propagation.setGlobalPropagator(w3c(core))) {
    undo.push(() => propagation.disable());
  }
  if (!hasTracerProvider() && trace.setGlobalTracerProvider(provider)) {
    undo.push(() => trace.disable());
  }
  return {
    tracerProvider: provider,
    close: async () => {
      await provider.shutdown();
      for (const step of undo.splice(0)) step();
    },
  };
}

function installed() {
  return Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
  ]).catch((error: unknown) => {
    throw new TracingSetupError(
      'otel: exporter needs the SDK of OpenTelemetry; run npm install @opentelemetry/sdk-trace ' +
        '@opentelemetry/context-async-hooks @opentelemetry/core',
      { cause: error },
    );
  });
}

/** A span is active inside `context.with` only where somebody keeps the context. */
export function hasContextManager(): boolean {
  const key = Symbol('apix.probe');
  return (
    context.with(context.active().setValue(key, true), () => context.active().getValue(key)) ===
    true
  );
}

/** The proxy that stands in for a global provider has none behind it until one is registered. */
function hasTracerProvider(): boolean {
  const proxy = trace.getTracerProvider() as { readonly getDelegate?: () => object };
  return proxy.getDelegate?.().constructor.name !== 'NoopTracerProvider';
}

function w3c(core: typeof import('@opentelemetry/core')): TextMapPropagator {
  return new core.CompositePropagator({
    propagators: [new core.W3CTraceContextPropagator(), new core.W3CBaggagePropagator()],
  });
}
