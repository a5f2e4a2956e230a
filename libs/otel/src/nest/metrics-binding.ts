import { METRIC_SOURCE, type MetricSource, noteInfrastructurePath } from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { type FrontPlace, GlobalPrefix } from '@apix/contracts/internal-nest';
import { type HostBuilder, HostExtension } from '@apix/hostx';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { ApplicationConfig, DiscoveryService } from '@nestjs/core';
import type { MeterProvider } from '@opentelemetry/api';
import { OBSERVED_NAMES, otelObserver } from '../observe/otel-observer.js';
import { type MetricsHandler, prometheusHandler } from '../prometheus/prometheus-handler.js';
import { runtimeMeters } from '../runtime/runtime-meters.js';
import { SourceMeters } from '../sources/source-meters.js';
import { metricsPathOf, type MetricsModuleOptions } from './metrics-module-options.js';
import { METRICS_OPTIONS, METRICS_PLACE } from './tokens.js';

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
    @Inject(METRICS_PLACE) private readonly place: FrontPlace,
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
    this.place.serve(new Map([[whole, handler]]));
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
