import { offerActiveTrace, offerRequestWatch } from '@apix/contracts';
import {
  type ExportingProvider,
  exportingProvider,
} from '../../tracing/provider/exporting-provider.js';
import { requestSpans } from '../../requests/request-spans.js';
import { Tracing, activeSpanIds } from '../../tracing/tracing.js';
import { type TracingModuleOptions, checkTracingOptions } from './tracing-module-options.js';

/** What the module's spans are made with, and what has to be undone. */
export class TracingSource {
  private constructor(
    readonly tracing: Tracing,
    private readonly undo: () => void,
    private readonly own: ExportingProvider | undefined,
  ) {}

  /** @throws OtelError for wrong options, TracingSetupError for what is not installed. */
  static async open(options: TracingModuleOptions): Promise<TracingSource> {
    checkTracingOptions(options);
    const own = options.exporter === undefined ? undefined : await exportingProvider(options);
    const tracing = new Tracing({ tracerProvider: own?.tracerProvider ?? options.tracerProvider });
    const undo = [offerActiveTrace(activeSpanIds), offerRequestWatch(requestSpans(tracing))];
    return new TracingSource(tracing, () => undo.forEach((step) => step()), own);
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    this.undo();
    await this.own?.close();
  }
}
