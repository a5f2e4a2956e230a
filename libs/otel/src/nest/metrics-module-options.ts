import { type MetricSource, shownValue } from '@apix/contracts';
import {
  arrayOf,
  FLAG,
  objectWith,
  type Option,
  type OptionTable,
  orFalse,
  parsedOption,
} from '@apix/contracts/internal';
import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import { otelOptions } from '../errors.js';
import {
  PROMETHEUS_OPTIONS,
  type PrometheusHandlerOptions,
} from '../prometheus/prometheus-handler.js';
import { METER_PROVIDER, TRACER_PROVIDER } from '../tracing/option-kinds.js';

export interface MetricsModuleOptions extends Omit<PrometheusHandlerOptions, 'beforeScrape'> {
  /**
   * Where the app's HTTP server answers Prometheus, before guards and below the app's global prefix; anyone
   * who can reach the server can read it. False: nowhere. Default: '/metrics', or false with
   * `meterProvider`.
   */
  readonly path?: string | false | undefined;
  /** Records to a provider of the app's, which shuts it down. Default: one that serves `path`. */
  readonly meterProvider?: MeterProvider | undefined;
  /** Receives the spans; the app shuts it down. Default: the global one. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Sources that are not providers of the app, such as log sinks. Default: none. */
  readonly sources?: readonly MetricSource[] | undefined;
  /**
   * Whether memory, processor time, event-loop delay and garbage collections of the process are recorded; false
   * where an instrumentation of the app does. Default: true.
   */
  readonly runtime?: boolean | undefined;
}

const PATH: Option<string> = parsedOption((value) => {
  if (typeof value === 'string' && /^\/[^?#\s]*$/.test(value)) return value;
  throw new Error(`${shownValue(value)} is not a path: it must start with "/"`);
});

const METRICS_MODULE_OPTIONS = {
  ...PROMETHEUS_OPTIONS,
  path: orFalse(PATH),
  meterProvider: METER_PROVIDER,
  tracerProvider: TRACER_PROVIDER,
  sources: arrayOf(objectWith<MetricSource>('a metric source', 'metrics')),
  runtime: FLAG,
} satisfies OptionTable<MetricsModuleOptions>;

/**
 * The path to serve; undefined if there is none.
 *
 * @throws OtelError for wrong options, and for a path together with a meter provider.
 */
export function metricsPathOf(options: MetricsModuleOptions): string | undefined {
  const { path, meterProvider } = otelOptions(METRICS_MODULE_OPTIONS, options, (_, mistakes) => {
    if (options.meterProvider === undefined || (options.path ?? false) === false) return;
    mistakes.add(
      'path',
      'cannot be combined with meterProvider, because path serves its own provider; ' +
        'to serve another one, mount the handler of prometheusHandler() yourself',
    );
  });
  if (path === false || (path === undefined && meterProvider !== undefined)) return undefined;
  return path ?? '/metrics';
}
