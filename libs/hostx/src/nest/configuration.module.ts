import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { Configuration } from '../config/configuration.js';
import type { ConfigurationOptions } from '../config/load-configuration.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<
  ConfigurationOptions<unknown>
>()
  .setClassMethodName('forRoot')
  .setExtras({ isGlobal: true }, (definition, { isGlobal }) => ({
    ...definition,
    global: isGlobal,
  }))
  .build();

/**
 * Reads the layered configuration before anything is made that needs it, and provides it to
 * every module: inject `Configuration<Settings>`. A mistake in it keeps the app from starting.
 */
@Module({
  providers: [
    {
      provide: Configuration,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: ConfigurationOptions<unknown>) => Configuration.load(options),
    },
  ],
  exports: [Configuration],
})
export class ConfigurationModule extends ConfigurableModuleClass {}
