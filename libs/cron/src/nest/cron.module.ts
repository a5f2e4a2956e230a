import { optionsModule } from '@apix/contracts/internal-nest';
import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CronJobs } from './cron-jobs.js';
import type { CronModuleOptions } from './cron-options.js';
import { CRON_OPTIONS } from './tokens.js';

const { ConfigurableModuleClass, OPTIONS_TYPE } = optionsModule<
  CronModuleOptions,
  'createCronOptions'
>({ name: 'cron: CronModule', token: CRON_OPTIONS, factoryMethod: 'createCronOptions' });

/**
 * Registers methods decorated with `@Every` or `@At` as supervised services of the host, one each, and
 * provides {@link CronJobs}. A mistake in one of them keeps the app from starting.
 *
 * `isGlobal: false` makes its exports available only to modules that import it. Default: true.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [CronJobs],
  exports: [CronJobs],
})
export class CronModule extends ConfigurableModuleClass {
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }
}
