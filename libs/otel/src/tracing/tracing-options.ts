import { type Mistakes, shownValue } from '@apix/contracts';
import {
  arrayOf,
  callable,
  duration,
  finiteNumber,
  foreignObject,
  objectWith,
  type Option,
  type OptionTable,
  parsedOption,
} from '@apix/contracts/internal';
import type { Resource } from '@opentelemetry/resources';
import type { Sampler, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import { otelOptions } from '../errors.js';
import { SERVICE_NAME, TRACER_PROVIDER } from './option-kinds.js';
import type { ExportingProviderInit } from './provider/exporting-provider.js';
import type { TracingInit } from './tracing.js';

/** The destination of spans: an existing provider, or one created by this package. */
export interface OpenTracingOptions extends ExportingProviderInit, TracingInit {}

const EXPORTER: Option<SpanExporter> = parsedOption((value) => {
  if (typeof value === 'string') {
    throw new Error(
      `${shownValue(value)} is not an exporter; pass an object, such as new OTLPTraceExporter()`,
    );
  }
  if (typeof (value as { export?: unknown } | null)?.export === 'function') {
    return value as SpanExporter;
  }
  throw new Error('must be a span exporter, with the method export');
});

/** The options of a provider created by this package. */
const OF_OWN = {
  exporter: EXPORTER,
  processors: arrayOf(objectWith<SpanProcessor>('a span processor', 'onStart', 'onEnd')),
  sampler: objectWith<Sampler>('a sampler', 'shouldSample'),
  sampleRatio: finiteNumber({ min: 0, max: 1 }),
  serviceName: SERVICE_NAME,
  resource: foreignObject<Resource>('a resource'),
  shutdownTimeout: duration({ min: 1, max: 2 ** 31 - 1 }),
};

/** The allowed values of the options of tracing. */
export const TRACING_OPTIONS_TABLE = {
  ...OF_OWN,
  report: callable<(problem: string) => void>(),
  tracerProvider: TRACER_PROVIDER,
} satisfies OptionTable<OpenTracingOptions>;

/** @throws OtelError for options that are wrong, that exclude each other, or that nothing is made of. */
export function checkTracingInit(options: OpenTracingOptions): void {
  otelOptions(TRACING_OPTIONS_TABLE, options, (_, mistakes) => noteCombinations(options, mistakes));
}

/** Records options that exclude or need others. @param hasMore whether spans have another reader. */
export function noteCombinations(
  options: OpenTracingOptions,
  mistakes: Mistakes,
  hasMore = false,
): void {
  const { tracerProvider, exporter, processors = [], sampler, sampleRatio } = options;
  const isOwn = hasMore || exporter !== undefined || processors.length > 0;
  for (const name of Object.keys(OF_OWN) as (keyof typeof OF_OWN)[]) {
    if (options[name] === undefined) continue;
    if (tracerProvider !== undefined) {
      mistakes.add(name, 'cannot be combined with tracerProvider, which has its own');
    } else if (!isOwn) {
      mistakes.add(name, 'needs an exporter or processors; the global provider has its own');
    }
  }
  if (sampleRatio !== undefined && sampler !== undefined) {
    mistakes.add('sampleRatio', 'cannot be combined with sampler, which decides by itself');
  }
}
