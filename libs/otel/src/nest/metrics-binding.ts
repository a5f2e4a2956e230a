import type { IncomingMessage, ServerResponse } from 'node:http';
import { METRIC_SOURCE, type MetricSource, noteInfrastructurePath } from '@apix/contracts';
import { targetOf } from '@apix/contracts/internal';
import { discoverMarked } from '@apix/contracts/nest';
import { GlobalPrefix } from '@apix/contracts/internal-nest';
import { type HostBuilder, HostExtension } from '@apix/hostx';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, HttpAdapterHost } from '@nestjs/core';
import type { MeterProvider } from '@opentelemetry/api';
import { OBSERVED_NAMES, otelObserver } from '../observe/otel-observer.js';
import { type MetricsHandler, prometheusHandler } from '../prometheus/prometheus-handler.js';
import { runtimeMeters } from '../runtime/runtime-meters.js';
import { SourceMeters } from '../sources/source-meters.js';
import { metricsPathOf, type MetricsModuleOptions } from './metrics-module-options.js';
import { METRICS_OPTIONS } from './tokens.js';

/**
 * Puts the endpoint in front of everything the app serves, as soon as there is an HTTP adapter:
 * no guard and no catch-all of somebody else gets in its way.
 */
@Injectable()
export class MetricsMount {
  #path: string | undefined;
  #handler: MetricsHandler | undefined;

  constructor(@Inject(HttpAdapterHost) adapterHost: HttpAdapterHost) {
    const handle = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
      if (this.#handler !== undefined && targetOf(request).path === this.#path) {
        this.#handler(request, response);
      } else next();
    };
    adapterHost.init$.subscribe(() => {
      // None in an application context, and in a microservice.
      const adapter = adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
      adapter?.use(handle);
    });
  }

  /** Serves a path from now on. */
  serve(path: string, handler: MetricsHandler): void {
    this.#path = path;
    this.#handler = handler;
  }
}

/** Connects the app's host and its metric sources with a meter provider, and serves that. */
@Injectable()
@HostExtension()
export class MetricsBinding
  implements HostExtension, OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown
{
  /** Where everything is recorded. */
  readonly meterProvider: MeterProvider;
  #close: (() => Promise<void>) | undefined;
  #meters: SourceMeters | undefined;
  #endRuntime: (() => void) | undefined;
  #served: { readonly path: string; readonly handler: MetricsHandler } | undefined;

  constructor(
    @Inject(METRICS_OPTIONS) private readonly options: MetricsModuleOptions,
    @Inject(MetricsMount) private readonly mount: MetricsMount,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {
    const path = metricsPathOf(options);
    if (options.meterProvider === undefined) {
      const beforeScrape = (): void => this.#meters?.refresh();
      const { serviceName, resource, scopeInfo, views } = options;
      const { handler, meterProvider } = prometheusHandler({
        serviceName,
        resource,
        scopeInfo,
        views,
        beforeScrape,
      });
      if (path !== undefined) this.#served = { path, handler };
      this.meterProvider = meterProvider;
      this.#close = () => meterProvider.shutdown();
    } else this.meterProvider = options.meterProvider;
  }

  /** The global prefix is known when Nest initialises the modules. */
  onModuleInit(): void {
    if (this.#served === undefined) return;
    const { path, handler } = this.#served;
    const whole = new GlobalPrefix(this.config).pathOf('GET', path);
    noteInfrastructurePath(this.config, whole);
    this.mount.serve(whole, handler);
  }

  /** Called where the app has a host, before anything of it starts. */
  extend(builder: HostBuilder): void {
    const { meterProvider } = this;
    const { tracerProvider } = this.options;
    builder.withObserver(otelObserver({ meterProvider, tracerProvider }));
  }

  onApplicationBootstrap(): void {
    const sources = [
      ...discoverMarked<MetricSource>(this.discovery, METRIC_SOURCE),
      ...(this.options.sources ?? []),
    ];
    const { meterProvider } = this;
    if (this.options.runtime !== false) this.#endRuntime = runtimeMeters(meterProvider);
    const report = (problem: string): void => new Logger('MetricsModule').warn(problem);
    const except = OBSERVED_NAMES;
    this.#meters = new SourceMeters(() => sources, { meterProvider, except, report });
  }

  async onApplicationShutdown(): Promise<void> {
    this.#meters?.stop();
    this.#endRuntime?.();
    await this.#close?.();
  }
}
