import { nestRoutes, enterApp, noteRoutes, watchAppServer } from '@apix/calls/internal-nest';
import { noteInfrastructurePath } from '@apix/contracts';
import {
  Inject,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
  Optional,
  RequestMethod,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { MeterProvider } from '@opentelemetry/api';
import { HttpTraceDoor } from '../../http/http-trace-door.js';
import { Tracing } from '../../tracing/tracing.js';
import { METER_PROVIDER, TRACING_OPTIONS } from '../tokens.js';
import { observeFailures } from './observed-failures.js';
import { recordingMeter } from '../../metrics/durations.js';
import type { TracingModuleOptions } from './tracing-module-options.js';

const ANSWERS_GET = new Set([RequestMethod.GET, RequestMethod.HEAD, RequestMethod.ALL]);

/**
 * Notes the paths of handlers that are infrastructure endpoints, so that requests to them are known before they
 * are made spans. Left out are paths with parameters, and those that other handlers answer too, by another version
 * or host. Call it when Nest initialises the modules: the global prefix is set by then.
 */
// Why: docs/decisions/0143
function noteInfrastructureRoutes(config: ApplicationConfig, modules: ModulesContainer): void {
  const marked = new Set<string>();
  const others = new Set<string>();
  for (const { handler, verb, path } of nestRoutes(config, modules)) {
    if (ANSWERS_GET.has(verb)) (handler.isInfrastructure ? marked : others).add(path);
  }
  for (const path of marked) {
    if (!/[:*{(]/.test(path) && !others.has(path)) noteInfrastructurePath(config, path);
  }
}

/** Makes the app's HTTP requests spans. */
@Injectable()
export class HttpTracing implements OnModuleInit, OnApplicationShutdown {
  readonly #undo: (() => void)[] = [];

  constructor(
    @Inject(TRACING_OPTIONS) private readonly options: TracingModuleOptions,
    @Inject(Tracing) tracing: Tracing,
    @Optional() @Inject(METER_PROVIDER) ofModule: MeterProvider | undefined,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {
    const { http } = options;
    if (http === false) return;
    const meter = recordingMeter(options.meterProvider ?? ofModule);
    const door = new HttpTraceDoor({ tracing, options: http, meter }, config);
    this.#undo.push(enterApp(adapterHost, door));
    noteRoutes({ config, modules, adapterHost });
    observeFailures(config);
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
