import type { Server } from 'node:http';
import { type AppMount, mountFor } from '@apix/calls/internal-nest';
import { GlobalPrefix } from '@apix/contracts/internal-nest';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { type AbstractHttpAdapter, ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { GatewayConfigError } from '../errors.js';
import { Gateway } from '../http/gateway.js';
import { GatewayHandler } from './gateway-handler.js';
import { GATEWAY_OPTIONS, type GatewayModuleOptions } from './gateway-module-options.js';

/** Puts the gateway between the Nest app's middleware and its routes, unless it has a port. */
@Injectable()
export class GatewayMount
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown
{
  private mount: AppMount | undefined;
  private stopUpgrades = (): void => {};

  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayModuleOptions,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(Gateway) private readonly gateway: Gateway,
    @Inject(GatewayHandler) private readonly handler: GatewayHandler,
  ) {
    if (options.port !== undefined) return;
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
    const prefix = new GlobalPrefix(this.config);
    this.gateway.moveBelow(prefix);
    this.handler.moveBelow(prefix);
    this.mount.beforeModules();
  }

  onModuleInit(): void {
    this.mount?.afterRoutes();
  }

  onApplicationBootstrap(): void {
    if (this.options.port !== undefined) return;
    if (this.mount === undefined) {
      throw new GatewayConfigError([
        'port: must be set, since this app has no HTTP server to mount into',
      ]);
    }
    this.mount.beforeListen();
    const server = this.adapterHost.httpAdapter.getHttpServer() as Server;
    this.stopUpgrades = this.gateway.serveUpgrades(server);
  }

  /** Nest closes its HTTP server after this, which would wait for every WebSocket. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopUpgrades();
    await this.gateway.closeWebSockets();
  }
}

function refuseAdapter(type: string): GatewayConfigError {
  return new GatewayConfigError([
    `port: must be set, since the server of the HTTP adapter ${type} is not one of Node's`,
  ]);
}
