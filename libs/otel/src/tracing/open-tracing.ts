import { offerActiveTrace, offerRequestWatch } from '@apix/contracts/internal';
import { requestSpans } from '../requests/request-spans.js';
import { offerTracer } from './guarded-tracer.js';
import { exportingProvider } from './provider/exporting-provider.js';
import { type OpenTracingOptions, checkTracingInit } from './tracing-options.js';
import { Tracing, activeSpanIds } from './tracing.js';

/** Tracing that is set up, until it is closed. */
export interface OpenTracing {
  readonly tracing: Tracing;
  /** Sends the spans that have ended so far; the app's own provider is left alone. Never fails. */
  flush(): Promise<void>;
  /** Sends the remaining spans and undoes the set-up; returns the same promise each time. Never fails. */
  close(): Promise<void>;
}

/**
 * Sets tracing up: with an `exporter` or `processors` on its own provider, in a process without
 * OpenTelemetry; otherwise on the app's provider. Loggers get the ids of the active span from it.
 *
 * @throws OtelError for wrong options, TracingSetupError if a package is not installed.
 */
export async function openTracing(options: OpenTracingOptions = {}): Promise<OpenTracing> {
  checkTracingInit(options);
  return openChecked(options);
}

/** The same for options that are checked. */
export async function openChecked(options: OpenTracingOptions): Promise<OpenTracing> {
  const { exporter, processors = [] } = options;
  const isOwn = exporter !== undefined || processors.length > 0;
  const own = isOwn ? await exportingProvider(options) : undefined;
  const tracing = new Tracing({ tracerProvider: own?.tracerProvider ?? options.tracerProvider });
  const undo = [
    offerActiveTrace(activeSpanIds),
    offerTracer(tracing.tracer),
    offerRequestWatch(requestSpans(tracing)),
  ];
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    for (const step of undo) step();
    await own?.close();
  };
  return {
    tracing,
    flush: async () => own?.flush(),
    close: () => (closing ??= close()),
  };
}
