import { type MetricSource, Mistakes, shownValue } from '@apix/contracts';
import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import type { PrometheusHandlerOptions } from '../prometheus/prometheus-handler.js';
import { OtelError } from '../errors.js';

export interface OtelModuleOptions extends Omit<PrometheusHandlerOptions, 'beforeScrape'> {
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

/**
 * The path to serve; undefined if there is none.
 *
 * @throws OtelError for a value that is not a path, and for a path together with a meter provider.
 */
export function metricsPathOf({ path, meterProvider }: OtelModuleOptions): string | undefined {
  if (path === false || (path === undefined && meterProvider !== undefined)) return undefined;
  const mistakes = new Mistakes();
  if (meterProvider !== undefined) {
    mistakes.add(
      'path',
      'cannot be combined with meterProvider, because path serves its own provider; ' +
        'to serve another one, mount the handler of prometheusHandler() yourself',
    );
  }
  if (path !== undefined && (typeof path !== 'string' || !/^\/[^?#\s]*$/.test(path))) {
    mistakes.add('path', `${shownValue(path)} is not a path: it must start with "/"`);
  }
  mistakes.throwIfAny((found) => new OtelError(found));
  return path ?? '/metrics';
}
