import type { Server } from 'node:http';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GatewayConfigError } from '../errors.js';
import { Gateway } from '../http/gateway.js';
import { GatewayHandler } from './gateway-handler.js';
import type { GatewayModuleOptions } from './gateway-module-options.js';
import { GATEWAY_OPTIONS } from './tokens.js';

/**
 * Puts the gateway in front of the Nest app's routes, as soon as there is an HTTP adapter: that
 * is before Nest registers its body parsers, for the gateway reads bodies itself.
 */
@Injectable()
export class GatewayMount implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private mounted = false;
  private stopUpgrades = (): void => {};

  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayModuleOptions,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(Gateway) private readonly gateway: Gateway,
    @Inject(GatewayHandler) { handle }: GatewayHandler,
  ) {
    if (options.port !== undefined) return;
    // Why: docs/decisions/0032
    adapterHost.init$.subscribe(() => {
      adapterHost.httpAdapter.use(handle);
      this.mounted = true;
    });
  }

  onApplicationBootstrap(): void {
    if (this.options.port !== undefined) return;
    if (!this.mounted) {
      throw new GatewayConfigError([
        'port: must be set, since this app has no HTTP server to mount into',
      ]);
    }
    const server = this.adapterHost.httpAdapter.getHttpServer() as Server;
    this.stopUpgrades = this.gateway.serveUpgrades(server);
  }

  /** Nest closes its HTTP server after this, which would wait for every WebSocket. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopUpgrades();
    await this.gateway.closeWebSockets();
  }
}
