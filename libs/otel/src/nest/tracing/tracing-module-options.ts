import { Mistakes } from '@apix/contracts';
import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import { OtelError } from '../../errors.js';
import { type GrpcTracingOptions, readGrpcTracing } from '../../grpc/grpc-tracing-options.js';
import type { ExportingProviderInit } from '../../tracing/provider/exporting-provider.js';

export interface TracingModuleOptions extends Omit<ExportingProviderInit, 'processors'> {
  /** The app's own provider, which the app shuts down; excludes `exporter`. Default: the global one. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Where durations go; its owner shuts it down. Default: that of `OtelModule`, else the global one. */
  readonly meterProvider?: MeterProvider | undefined;
  /** What is traced and measured of gRPC calls, in and out; false: nothing. Default: what each option says. */
  readonly grpc?: GrpcTracingOptions | false | undefined;
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
  if (options.grpc !== undefined && options.grpc !== false) {
    readGrpcTracing(options.grpc, 'grpc.', mistakes);
  }
  mistakes.throwIfAny((found) => new OtelError(found));
}
