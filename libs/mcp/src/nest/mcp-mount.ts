import { AppMount } from '@apix/calls/internal-nest';
import { GlobalPrefix } from '@apix/contracts/internal-nest';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { McpConfigError } from '../errors.js';
import { McpEndpoint } from '../http/mcp-endpoint.js';
import { McpBackend } from './mcp-backend.js';

/** Puts the endpoint between the Nest app's middleware and its routes. */
@Injectable()
export class McpMount implements OnModuleInit, OnApplicationBootstrap {
  private readonly mount: AppMount;

  constructor(
    @Inject(HttpAdapterHost) adapterHost: HttpAdapterHost,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(McpEndpoint) private readonly endpoint: McpEndpoint,
    @Inject(McpBackend) private readonly backend: McpBackend,
  ) {
    this.mount = new AppMount(adapterHost, { takes: endpoint.paths, handle: endpoint.handle });
  }

  /** Called in `app.init()`, after the body parsers and before the middleware of modules. */
  beforeModules(): void {
    this.endpoint.moveTo(new GlobalPrefix(this.config).pathOf('POST', this.endpoint.path));
    this.mount.beforeModules(refuseAdapter);
  }

  onModuleInit(): void {
    this.mount.afterRoutes();
  }

  onApplicationBootstrap(): void {
    if (!this.mount.isMounted) {
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
