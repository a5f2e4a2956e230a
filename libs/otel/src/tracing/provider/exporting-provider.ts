import { type Duration, parseDuration, thrownText } from '@apix/contracts';
import type { TracerProvider } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { Sampler, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import { environmentResource, OtelEnvironment } from './environment.js';
import { loadSdk, type Sdk } from './sdk.js';
import { shareGlobals } from './shared-globals.js';
import { WatchedExporter } from './watched-exporter.js';

/** In milliseconds; that of the SDK. */
const EXPORT_TIMEOUT = 30_000;

/** The options of a provider created by this package. */
export interface ExportingProviderInit {
  /** Where spans are sent, in batches; it is shut down at the end. Default: nowhere. */
  readonly exporter?: SpanExporter | undefined;
  /** Further span processors; they are shut down at the end. Default: none. */
  readonly processors?: readonly SpanProcessor[] | undefined;
  /** Which traces are recorded; excludes `sampleRatio`. Default: by `sampleRatio`, else by OTEL_TRACES_SAMPLER. */
  readonly sampler?: Sampler | undefined;
  /** The share of traces that are recorded, 0 to 1, of those that no caller has decided on. Default: by OTEL_TRACES_SAMPLER, else 1. */
  readonly sampleRatio?: number | undefined;
  /** The name of the app in traces. Default: that of `resource`, else of OTEL_SERVICE_NAME. */
  readonly serviceName?: string | undefined;
  /** Further resource attributes, which override those of OTEL_RESOURCE_ATTRIBUTES. Default: none. */
  readonly resource?: Resource | undefined;
  /**
   * How long the end waits for an exporter and for processors; the spans left then are lost. Default: '5s'.
   */
  readonly shutdownTimeout?: Duration | undefined;
  /** Called with the reason why spans cannot be sent, in a line. Default: a warning of the process. */
  readonly report?: ((problem: string) => void) | undefined;
}

/** A provider, and the other parts of tracing for a process without OpenTelemetry. */
interface ExportingProvider {
  /** Undefined if OTEL_SDK_DISABLED is `true`. */
  readonly tracerProvider: TracerProvider | undefined;
  /** Sends the spans that have ended so far. Never fails: errors are reported. */
  flush(): Promise<void>;
  /** Sends the remaining spans, and undoes its registrations. Never fails. */
  close(): Promise<void>;
}

/**
 * Makes a provider, and registers it, a context manager and the propagators of OTEL_PROPAGATORS as the global
 * ones, each only where the process has none.
 *
 * @throws TracingSetupError where a package of OpenTelemetry is not installed.
 */
export async function exportingProvider(init: ExportingProviderInit): Promise<ExportingProvider> {
  const { exporter, report = warnProcess, shutdownTimeout = '5s' } = init;
  const sdk = await loadSdk();
  const timeout = parseDuration(shutdownTimeout);
  const environment = new OtelEnvironment(report);
  const batches = environment.batches();
  const exportTimeout = batches.exportTimeoutMillis ?? EXPORT_TIMEOUT;
  const watched = exporter && new WatchedExporter(exporter, report, exportTimeout);
  const provider = environment.isDisabled ? undefined : providerOf(sdk, init, watched, environment);
  const unshare = shareGlobals(sdk, provider, environment);

  const bounded = async (work: () => Promise<void> | undefined): Promise<void> => {
    try {
      if (await withinTimeout(timeout, async () => work())) return;
      const lost = watched?.abandon() ?? 0;
      report(`otel: spans were not exported within ${timeout} ms; at least ${lost} are lost`);
    } catch (error) {
      // The watched exporter has reported its own.
      if (watched === undefined) report(`otel: spans were not exported: ${thrownText(error)}`);
    }
  };
  const close = async (): Promise<void> => {
    const end = performance.now() + timeout;
    await bounded(() => provider?.shutdown());
    // The SDK leaves an exporter open that has failed to send the last spans.
    const left = Math.max(end - performance.now(), 0);
    await withinTimeout(left, () => watched?.shutdown()).catch(() => {});
    unshare();
  };
  let closing: Promise<void> | undefined;
  return {
    tracerProvider: provider,
    flush: () => closing ?? bounded(() => provider?.forceFlush()),
    close: () => (closing ??= close()),
  };
}

function providerOf(
  { sdk }: Sdk,
  { processors = [], sampler, sampleRatio, serviceName, resource }: ExportingProviderInit,
  exporter: SpanExporter | undefined,
  environment: OtelEnvironment,
) {
  const ofEnvironment =
    sampler === undefined && sampleRatio === undefined ? environment.sampler({ sdk }) : undefined;
  const root = new sdk.TraceIdRatioBasedSampler(sampleRatio ?? 1);
  return new sdk.TracerProvider({
    spanProcessors: [
      ...processors,
      ...(exporter ? [new sdk.BatchSpanProcessor({ ...environment.batches(), exporter })] : []),
    ],
    spanLimits: environment.limits(),
    sampler: sampler ?? ofEnvironment ?? new sdk.ParentBasedSampler({ root }),
    resource: environmentResource(resource, serviceName),
  });
}

function warnProcess(problem: string): void {
  process.emitWarning(problem, { code: 'APIX_SPANS_LOST' });
}

/**
 * Whether work is done in time; its later result is ignored.
 *
 * @throws its error, if it fails in time.
 */
async function withinTimeout(ms: number, work: () => Promise<void> | undefined): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([late, done(work)]);
  } finally {
    clearTimeout(timer);
  }
}

async function done(work: () => Promise<void> | undefined): Promise<true> {
  await work();
  return true;
}
