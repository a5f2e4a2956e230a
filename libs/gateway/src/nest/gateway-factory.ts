import { Mistakes } from '@apix/contracts';
import type { ProtoRegistry } from '@apix/proto';
import type { FactoryProvider } from '@nestjs/common';
import { Gateway } from '../http/gateway.js';
import {
  checkModuleOptions,
  type GatewayModuleOptions,
  MODULE_OPTIONS,
} from './gateway-module-options.js';
import { GatewayUpstream } from './gateway-upstream.js';
import { GATEWAY_OPTIONS, GATEWAY_PROTOS } from './tokens.js';

/** The gateway of the app; mistakes of all options and rules are reported together. */
export const gatewayProvider: FactoryProvider<Gateway> = {
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
    return new Gateway(protos, () => upstream.open(), options, before);
  },
};
