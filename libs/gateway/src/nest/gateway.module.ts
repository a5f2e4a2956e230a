import { optionsModule } from '@apix/contracts/nest';
import { requiredProtos } from '@apix/proto';
import { type DynamicModule, Inject, Module, type NestModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { GatewayAnnouncement } from './gateway-announcement.js';
import { GatewayDocument } from './gateway-document.js';
import { gatewayProvider } from './gateway-factory.js';
import { GatewayHandler } from './gateway-handler.js';
import { GatewayMetrics } from './gateway-metrics.js';
import type { GatewayModuleOptions } from './gateway-module-options.js';
import { GatewayMount } from './gateway-mount.js';
import { GatewayRef } from './gateway-ref.js';
import { GatewayServer } from './gateway-server.js';
import { GatewayUpstream } from './gateway-upstream.js';
import { GATEWAY_OPTIONS, GATEWAY_PROTOS } from './tokens.js';

const { ConfigurableModuleClass, OPTIONS_TYPE } = optionsModule<
  GatewayModuleOptions,
  'createGatewayOptions'
>({
  name: 'gateway: GatewayModule',
  token: GATEWAY_OPTIONS,
  factoryMethod: 'createGatewayOptions',
});

/**
 * Serves the app's RPCs as REST, by the `google.api.http` options of the descriptors that
 * `ProtoModule` loaded. The app does not start when a rule has a mistake or there is none.
 * `isGlobal` (default: true) lets every module inject {@link GatewayRef}, such as the docs page's.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    requiredProtos(GATEWAY_PROTOS, 'GatewayModule'),
    gatewayProvider,
    GatewayUpstream,
    GatewayDocument,
    GatewayHandler,
    GatewayMount,
    GatewayServer,
    GatewayMetrics,
    GatewayAnnouncement,
    GatewayRef,
  ],
  exports: [GatewayRef, GatewayServer],
})
export class GatewayModule extends ConfigurableModuleClass implements NestModule {
  // Not of the constructor, which is public.
  @Inject(GatewayMount) private readonly mount!: GatewayMount;

  /** Without options the gateway is mounted into the app and calls its gRPC server. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /** Adds no middleware; Nest calls it when it is time to find a place before that of modules. */
  configure(): void {
    this.mount.beforeModules();
  }
}
