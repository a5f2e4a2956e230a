import { Mistakes, shownValue } from '@apix/contracts';
import { OtelError } from '../errors.js';
import type { ExportingProviderInit } from './provider/exporting-provider.js';
import type { TracingInit } from './tracing.js';

/** The destination of spans: an existing provider, or one created by this package. */
export interface OpenTracingOptions extends ExportingProviderInit, TracingInit {}

/** The options of a provider created by this package. */
const OF_OWN = [
  'exporter',
  'processors',
  'sampler',
  'sampleRatio',
  'serviceName',
  'resource',
  'shutdownTimeout',
] as const;

/** @throws OtelError for options that are wrong, that exclude each other, or that nothing is made of. */
export function checkTracingInit(options: OpenTracingOptions): void {
  const mistakes = new Mistakes();
  noteTracingMistakes(options, mistakes);
  mistakes.throwIfAny((found) => new OtelError(found));
}

/** Records their mistakes. @param hasMore whether spans have another reader. */
export function noteTracingMistakes(
  options: OpenTracingOptions,
  mistakes: Mistakes,
  hasMore = false,
): void {
  const { tracerProvider, exporter, processors = [], sampler, sampleRatio } = options;
  const given = OF_OWN.filter((name) => options[name] !== undefined);
  const isOwn = hasMore || exporter !== undefined || processors.length > 0;
  for (const name of given) {
    if (tracerProvider !== undefined)
      mistakes.add(name, 'cannot be combined with tracerProvider, which has its own');
    else if (!isOwn)
      mistakes.add(name, 'needs an exporter or processors; the global provider has its own');
  }
  if (typeof (exporter as unknown) === 'string') {
    mistakes.add(
      'exporter',
      `${shownValue(exporter)} is not an exporter; pass an object, such as new OTLPTraceExporter()`,
    );
  } else if (
    exporter !== undefined &&
    typeof (exporter as { export?: unknown } | null)?.export !== 'function'
  ) {
    mistakes.add('exporter', 'must be a span exporter, with the method export');
  }
  if (sampleRatio !== undefined) {
    mistakes.number('sampleRatio', sampleRatio, { min: 0, max: 1 });
    if (sampler !== undefined)
      mistakes.add('sampleRatio', 'cannot be combined with sampler, which decides by itself');
  }
  if (options.serviceName !== undefined && !/\S/.test(options.serviceName)) {
    mistakes.add('serviceName', 'must not be empty');
  }
  if (options.shutdownTimeout !== undefined) {
    mistakes.duration('shutdownTimeout', options.shutdownTimeout, { min: 1, max: 2 ** 31 - 1 });
  }
}
