import type { Server } from 'node:http';
import { AppMount } from '@apix/calls/internal-nest';
import { GlobalPrefix } from '@apix/contracts/internal-nest';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { GatewayConfigError } from '../errors.js';
import { Gateway } from '../http/gateway.js';
import { GatewayDocument } from './gateway-document.js';
import { GATEWAY_OPTIONS, type GatewayModuleOptions } from './gateway-module-options.js';

/** Puts the gateway between the Nest app's middleware and its routes, unless it has a port. */
@Injectable()
export class GatewayMount
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly mount: AppMount | undefined;
  private stopUpgrades = (): void => {};

  constructor(
    @Inject(GATEWAY_OPTIONS) { port }: GatewayModuleOptions,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(Gateway) private readonly gateway: Gateway,
    @Inject(GatewayDocument) private readonly document: GatewayDocument,
  ) {
    if (port === undefined) this.mount = new AppMount(adapterHost, gateway);
  }

  /** Called in `app.init()`, after the body parsers and before the middleware of modules. */
  beforeModules(): void {
    if (this.mount?.isMounted !== true) return;
    const prefix = new GlobalPrefix(this.config);
    this.gateway.moveBelow(prefix);
    this.document.serve((path) => prefix.pathOf('GET', path));
    this.mount.beforeModules(refuseAdapter);
  }

  onModuleInit(): void {
    this.mount?.afterRoutes();
  }

  onApplicationBootstrap(): void {
    if (this.mount === undefined) return;
    if (!this.mount.isMounted) {
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
