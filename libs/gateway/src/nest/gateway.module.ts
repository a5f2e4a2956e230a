import { optionsModule } from '@apix/contracts/internal-nest';
import { type ProtoRegistry, requiredProtos } from '@apix/proto';
import {
  type DynamicModule,
  type FactoryProvider,
  Inject,
  Injectable,
  Module,
  type NestModule,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type MetricReading, MetricSource, Mistakes } from '@apix/contracts';
import { Gateway } from '../http/gateway.js';
import { GatewayAnnouncement } from './gateway-announcement.js';
import { GatewayDocument } from './gateway-document.js';
import { GatewayHandler } from './gateway-handler.js';
import {
  GATEWAY_OPTIONS,
  GATEWAY_PROTOS,
  type GatewayModuleOptions,
  MODULE_OPTIONS,
  checkModuleOptions,
} from './gateway-module-options.js';
import { GatewayMount } from './gateway-mount.js';
import { GatewayRef } from './gateway-ref.js';
import { GatewaySamples } from './gateway-samples.js';
import { GatewayServer } from './gateway-server.js';
import { GatewayUpstream } from './gateway-upstream.js';

/** The gateway of the app; mistakes of all options and rules are reported together. */
const gatewayProvider: FactoryProvider<Gateway> = {
  provide: Gateway,
  inject: [GATEWAY_OPTIONS, GATEWAY_PROTOS, GatewayUpstream],
  useFactory: (
    options: GatewayModuleOptions,
    protos: ProtoRegistry,
    upstream: GatewayUpstream,
  ): Gateway => {
    const mistakes = new Mistakes();
    checkModuleOptions(options, mistakes);
    const before = { mistakes, more: MODULE_OPTIONS };
    return new Gateway(protos, upstream.open, options, before);
  },
};

/** The figures of the app's gateway. */
@Injectable()
@MetricSource()
export class GatewayMetrics implements MetricSource {
  constructor(
    @Inject(Gateway) private readonly gateway: Gateway,
    @Inject(GatewayUpstream) private readonly upstream: GatewayUpstream,
  ) {}

  *metrics(): Iterable<MetricReading> {
    const { active, served } = this.gateway.counts;
    yield {
      name: 'apix.gateway.requests.active',
      kind: 'gauge',
      value: active,
      description: 'requests under way',
    };
    for (const [status, value] of served) {
      yield {
        name: 'apix.gateway.requests',
        kind: 'counter',
        value,
        description: 'requests that have ended, by HTTP status',
        attributes: { status: String(status), transport: this.upstream.transport },
      };
    }
  }
}

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
    GatewaySamples,
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
