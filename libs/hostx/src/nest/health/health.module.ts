import { frontPlace, optionsModule } from '@apix/contracts/internal-nest';
import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { HealthRegistry } from '../../health/health-registry.js';
import { TerminusModule } from '../../npm-install/@nestjs/terminus.js';
import { HealthBinding, type HealthModuleOptions } from './health-binding.js';
import { HEALTH_OPTIONS, HEALTH_PLACE } from '../tokens.js';

const { ConfigurableModuleClass, OPTIONS_TYPE } = optionsModule<
  HealthModuleOptions,
  'createHealthOptions'
>({ name: 'hostx: HealthModule', token: HEALTH_OPTIONS, factoryMethod: 'createHealthOptions' });

/**
 * Serves `/healthz`, `/readyz` and `/startupz` from the app's HTTP server, and provides {@link
 * HealthRegistry} to every module. In addition to the checks given here it runs those of every provider
 * that is a `HealthSource`. The app is ready when the host has started; without a host, when Nest has,
 * or with `readyWithNest: false` when it says so itself.
 *
 * `isGlobal: false` makes its exports available only to modules that import it. Default: true.
 */
@Module({
  imports: [DiscoveryModule, TerminusModule],
  providers: [
    frontPlace(HEALTH_PLACE),
    {
      provide: HealthRegistry,
      inject: [HEALTH_OPTIONS],
      useFactory: ({ checks, timeout, cache }: HealthModuleOptions) =>
        new HealthRegistry({ checks, timeout, cache }),
    },
    HealthBinding,
  ],
  exports: [HealthRegistry],
})
export class HealthModule extends ConfigurableModuleClass {
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }
}
