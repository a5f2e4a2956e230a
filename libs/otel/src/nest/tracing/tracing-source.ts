import { offerActiveTrace, offerRequestWatch } from '@apix/contracts';
import { RecentTraces } from '../../recent/recent-traces.js';
import {
  type ExportingProvider,
  exportingProvider,
} from '../../tracing/provider/exporting-provider.js';
import { requestSpans } from '../../requests/request-spans.js';
import { offerTracing } from '../../tracing/current-tracing.js';
import { Tracing, activeSpanIds } from '../../tracing/tracing.js';
import { type TracingModuleOptions, checkTracingOptions } from './tracing-module-options.js';

/** What the module's spans are made with, and what has to be undone. */
export class TracingSource {
  private constructor(
    readonly tracing: Tracing,
    private readonly undo: () => void,
    private readonly own: ExportingProvider | undefined,
    /** What the host page shows; undefined where nothing is kept. */
    readonly recent: RecentTraces | undefined,
  ) {}

  /** @throws OtelError for wrong options, TracingSetupError for what is not installed. */
  static async open(options: TracingModuleOptions): Promise<TracingSource> {
    checkTracingOptions(options);
    const { exporter, recent: given } = options;
    const isOwn = exporter !== undefined || typeof given === 'object';
    const recent = isOwn && given !== false ? new RecentTraces(given) : undefined;
    const processors = recent === undefined ? [] : [recent];
    const own = isOwn ? await exportingProvider({ ...options, processors }) : undefined;
    const tracing = new Tracing({ tracerProvider: own?.tracerProvider ?? options.tracerProvider });
    const undo = [
      offerActiveTrace(activeSpanIds),
      offerTracing(tracing),
      offerRequestWatch(requestSpans(tracing)),
    ];
    return new TracingSource(tracing, () => undo.forEach((step) => step()), own, recent);
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    this.undo();
    await this.own?.close();
  }
}
