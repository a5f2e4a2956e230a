import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { GatewayModuleOptions } from './gateway-module-options.js';
import { GatewayRef } from './gateway-ref.js';
import { GATEWAY_OPTIONS } from './tokens.js';

/**
 * Puts the gateway in front of the Nest app's routes, as soon as there is an HTTP adapter: that
 * is before Nest registers its body parsers, for the gateway reads bodies itself.
 */
@Injectable()
export class GatewayMount implements OnApplicationBootstrap {
  private mounted = false;

  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayModuleOptions,
    @Inject(HttpAdapterHost) adapterHost: HttpAdapterHost,
    @Inject(GatewayRef) { handle }: GatewayRef,
  ) {
    if (options.port !== undefined) return;
    adapterHost.init$.subscribe(() => {
      adapterHost.httpAdapter.use(handle);
      this.mounted = true;
    });
  }

  onApplicationBootstrap(): void {
    if (this.mounted || this.options.port !== undefined) return;
    throw new Error('gateway: this app has no HTTP server to be mounted into: set port');
  }
}
