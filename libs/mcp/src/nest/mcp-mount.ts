import { type AppMount, type MountedHandler, mountFor } from '@apix/calls/internal-nest';
import { GlobalPrefix } from '@apix/contracts/internal-nest';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { type AbstractHttpAdapter, ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { McpConfigError } from '../errors.js';
import { McpEndpoint } from '../http/mcp-endpoint.js';
import { McpBackend } from './mcp-backend.js';

/** Puts the endpoint between the Nest app's middleware and its routes. */
@Injectable()
export class McpMount implements OnModuleInit, OnApplicationBootstrap {
  private mount: AppMount | undefined;

  constructor(
    @Inject(HttpAdapterHost) adapterHost: HttpAdapterHost,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(McpEndpoint) private readonly endpoint: McpEndpoint,
    @Inject(McpBackend) private readonly backend: McpBackend,
  ) {
    const handler: MountedHandler = {
      takes: (req) => endpoint.takes(req),
      passes: () => false,
      handle: (req, res, next) => {
        if (endpoint.takes(req)) endpoint.handle(req, res);
        else next?.();
      },
    };
    // At once with NestFactory.create; with a TestingModule, when it makes an application.
    adapterHost.init$.subscribe(() => {
      // None in an application context, and in a microservice.
      const adapter = adapterHost.httpAdapter as AbstractHttpAdapter | null;
      if (adapter !== null) this.mount = mountFor(adapter, handler, refuseAdapter);
    });
  }

  /** Called in `app.init()`, after the body parsers and before the middleware of modules. */
  beforeModules(): void {
    if (this.mount === undefined) return;
    this.endpoint.moveTo(new GlobalPrefix(this.config).pathOf('POST', this.endpoint.path));
    this.mount.beforeModules();
  }

  onModuleInit(): void {
    this.mount?.afterRoutes();
  }

  onApplicationBootstrap(): void {
    if (this.mount === undefined) {
      throw new McpConfigError(['this app has no HTTP server to serve tools at']);
    }
    this.backend.find();
    this.mount.beforeListen();
  }
}

function refuseAdapter(type: string): McpConfigError {
  return new McpConfigError([
    `tools cannot be served, since the server of the HTTP adapter ${type} is not one of Node's`,
  ]);
}
