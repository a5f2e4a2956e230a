import { Mistakes } from '@apix/contracts';
import type { TracerProvider } from '@opentelemetry/api';
import { OtelError } from '../../errors.js';
import type { RecentTracesOptions } from '../../recent/recent-traces-options.js';
import type { ExportingProviderInit } from '../../tracing/provider/exporting-provider.js';

export interface TracingModuleOptions extends Omit<ExportingProviderInit, 'processors'> {
  /** The app's own provider, which the app shuts down; excludes `exporter`. Default: the global one. */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * What the host page shows of the last minutes, kept in memory. Given without an `exporter`, it sets up a
   * provider that sends spans nowhere; an app's own provider takes a `RecentTraces` as a processor instead.
   * Default: on with `exporter`, else off.
   */
  readonly recent?: RecentTracesOptions | false | undefined;
}

/**
 * @throws OtelError for options that exclude each other.
 */
export function checkTracingOptions(options: TracingModuleOptions): void {
  const mistakes = new Mistakes();
  if (options.tracerProvider !== undefined) {
    for (const name of ['exporter', 'sampler', 'resource'] as const) {
      if (options[name] !== undefined) {
        mistakes.add(name, 'excludes tracerProvider, which has its own');
      }
    }
  }
  if (options.tracerProvider !== undefined && typeof options.recent === 'object') {
    mistakes.add('recent', 'excludes tracerProvider; give it a RecentTraces as a span processor');
  }
  mistakes.throwIfAny((found) => new OtelError(found));
}
