import { ConfigurableModuleBuilder, type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CronJobs } from './cron-jobs.js';
import { CRON_OPTIONS, type CronModuleOptions } from './cron-options.js';

const { ConfigurableModuleClass, OPTIONS_TYPE } = new ConfigurableModuleBuilder<CronModuleOptions>({
  optionsInjectionToken: CRON_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setExtras({ isGlobal: true }, (definition, { isGlobal }) => ({
    ...definition,
    global: isGlobal,
  }))
  .build();

/**
 * Has the host run the methods that carry `@Every` or `@At`, each as a supervised service of its
 * own, and provides {@link CronJobs}. A mistake in one of them keeps the app from starting.
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
