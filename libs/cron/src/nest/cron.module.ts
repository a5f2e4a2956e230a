import { ConfigurableModuleBuilder, type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CronJobs } from './cron-jobs.js';
import type { CronModuleOptions } from './cron-options.js';
import { CRON_OPTIONS } from './tokens.js';

const { ConfigurableModuleClass, OPTIONS_TYPE } = new ConfigurableModuleBuilder<CronModuleOptions>({
  optionsInjectionToken: CRON_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createCronOptions')
  .setExtras({ isGlobal: true }, (definition, { isGlobal }) => ({
    ...definition,
    global: isGlobal,
  }))
  .build();

/**
 * Has the host run the methods that carry `@Every` or `@At`, each as a supervised service of its
 * own, and provides {@link CronJobs}. A mistake in one of them keeps the app from starting.
 *
 * `isGlobal: false` gives what it exports to modules that import it only. Default: true.
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
