import { ProtoRegistry } from '@apix/proto';
import { ConfigurableModuleBuilder, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Gateway } from '../http/gateway.js';
import { GatewayAnnouncement } from './gateway-announcement.js';
import { GatewayDocument } from './gateway-document.js';
import { GatewayHandler } from './gateway-handler.js';
import { GatewayMetrics } from './gateway-metrics.js';
import type { GatewayModuleOptions } from './gateway-module-options.js';
import { GatewayMount } from './gateway-mount.js';
import { GatewayRef } from './gateway-ref.js';
import { GatewayServer } from './gateway-server.js';
import { GatewayUpstream } from './gateway-upstream.js';
import { GATEWAY_OPTIONS } from './tokens.js';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<GatewayModuleOptions>({
  optionsInjectionToken: GATEWAY_OPTIONS,
})
  .setClassMethodName('forRoot')
  .build();

/**
 * Serves the app's RPCs as REST, by the `google.api.http` options of the descriptors that
 * `ProtoModule` loaded. The app does not start when a rule has a mistake or there is none. Global,
 * so that the docs page, for one, can inject {@link GatewayRef}.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: Gateway,
      useFactory: (
        options: GatewayModuleOptions,
        protos: ProtoRegistry,
        upstream: GatewayUpstream,
      ) => new Gateway(protos, () => upstream.open(), options),
      inject: [GATEWAY_OPTIONS, ProtoRegistry, GatewayUpstream],
    },
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
export class GatewayModule extends ConfigurableModuleClass {}
