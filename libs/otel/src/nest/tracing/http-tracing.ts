import { enterApp, noteRoutes, watchAppServer } from '@apix/calls/nest';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { Meter } from '@opentelemetry/api';
import { HttpTraceDoor } from '../../http/http-trace-door.js';
import { Tracing } from '../../tracing/tracing.js';
import { TRACING_OPTIONS } from '../tokens.js';
import { hearFailures } from './heard-failures.js';
import { TRACING_METER } from './tracing-meter.js';
import { noteInfrastructureRoutes } from './infrastructure-routes.js';
import type { TracingModuleOptions } from './tracing-module-options.js';

/** Makes the app's HTTP requests spans. */
@Injectable()
export class HttpTracing implements OnModuleInit, OnApplicationShutdown {
  readonly #undo: (() => void)[] = [];

  constructor(
    @Inject(TRACING_OPTIONS) private readonly options: TracingModuleOptions,
    @Inject(Tracing) tracing: Tracing,
    @Inject(TRACING_METER) meter: Meter | null,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {
    const { http } = options;
    if (http === false) return;
    const init = { tracing, options: http, meter: meter ?? undefined };
    const door = new HttpTraceDoor(init, config);
    this.#undo.push(enterApp(adapterHost, door));
    noteRoutes({ config, modules, adapterHost });
    hearFailures(config);
  }

  onModuleInit(): void {
    if (this.options.http === false) return;
    this.#undo.push(watchAppServer(this.adapterHost));
    noteInfrastructureRoutes(this.config, this.modules);
  }

  /** By now the server has answered its last request. */
  onApplicationShutdown(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }
}
