import type { IncomingMessage, ServerResponse } from 'node:http';
import { markInfrastructureRequest } from '@apix/contracts';
import {
  sendResponse,
  arrayOf,
  callable,
  FLAG,
  foreignObject,
  type OptionTable,
  refusesType,
} from '@apix/contracts/internal';
import { figuresOfProcesses } from '@apix/hostx/internal';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider, type MeterProviderOptions } from '@opentelemetry/sdk-metrics';
import { otelOptions } from '../errors.js';
import { SERVICE_NAME } from '../tracing/option-kinds.js';
import { environmentResource } from '../tracing/provider/environment.js';
import { diagError } from '../tracing/guarded-tracer.js';

export interface PrometheusHandlerOptions {
  /** The name of the app, in `target_info`. Default: that of `resource`, else of OTEL_SERVICE_NAME. */
  readonly serviceName?: string | undefined;
  /**
   * The content of `target_info`, added to that of the SDK, of OTEL_SERVICE_NAME and of OTEL_RESOURCE_ATTRIBUTES.
   * Default: those alone.
   */
  readonly resource?: MeterProviderOptions['resource'];
  /**
   * Whether each series has the label `otel_scope_name`, which keeps metrics of the same name
   * apart. Default: true.
   */
  readonly scopeInfo?: boolean | undefined;
  /** Views of the provider, to rename, drop or bucket. Default: none. */
  readonly views?: MeterProviderOptions['views'];
  /** Called before each scrape. Default: nothing. */
  readonly beforeScrape?: (() => void) | undefined;
}

/** The allowed values of the options that the module has too. */
export const PROMETHEUS_OPTIONS = {
  serviceName: SERVICE_NAME,
  resource: foreignObject<NonNullable<PrometheusHandlerOptions['resource']>>('a resource'),
  scopeInfo: FLAG,
  views: arrayOf(foreignObject('a view')),
};

const HANDLER_OPTIONS = {
  ...PROMETHEUS_OPTIONS,
  beforeScrape: callable<() => void>(),
} satisfies OptionTable<PrometheusHandlerOptions>;

/** A plain Node handler. */
export type MetricsHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface PrometheusHandler {
  /** Answers GET and HEAD, at whatever path it is mounted. */
  readonly handler: MetricsHandler;
  /** The handler serves the metrics recorded with it. The creator of the handler owns it. */
  readonly meterProvider: MeterProvider;
}

/** The text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats. */
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * A handler that Prometheus can scrape, and the meter provider whose figures it serves. In an app of several
 * processes it serves those of all.
 *
 * @throws OtelError for wrong options.
 */
export function prometheusHandler(options: PrometheusHandlerOptions = {}): PrometheusHandler {
  otelOptions(HANDLER_OPTIONS, options);
  const { serviceName, resource, views, scopeInfo = true } = options;
  const reader = new PrometheusExporter({ preventServerStart: true });
  const meterProvider = new MeterProvider({
    readers: [reader],
    resource: environmentResource(resource, serviceName),
    ...(views && { views }),
  });
  const serializer = new PrometheusSerializer('', false, undefined, false, !scopeInfo);

  const collect = async (): Promise<string> => {
    options.beforeScrape?.();
    const { resourceMetrics, errors } = await reader.collect();
    for (const error of errors) diagError('otel: a metric was not collected', error);
    return serializer.serialize(resourceMetrics);
  };
  // A scrape reaches any process of the app.
  const collectAll = figuresOfProcesses(collect);

  const scrape = async (response: ServerResponse): Promise<void> => {
    const body = await collectAll();
    const headers = {
      'content-type': CONTENT_TYPE,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    };
    sendResponse(response, 200, headers, body);
  };

  const handler: MetricsHandler = (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendResponse(response, 405, { allow: 'GET, HEAD' });
      return;
    }
    markInfrastructureRequest(request);
    if (refusesType(request.headers.accept, CONTENT_TYPE)) {
      sendResponse(response, 406);
      return;
    }
    scrape(response).catch((error: unknown) => {
      diagError('otel: the metrics could not be collected', error);
      sendResponse(response, 500);
    });
  };
  return { handler, meterProvider };
}
