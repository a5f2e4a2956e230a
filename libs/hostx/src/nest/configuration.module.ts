import { optionsModule } from '@apix/contracts/internal-nest';
import { Logger, Module } from '@nestjs/common';
import { Configuration } from '../config/configuration.js';
import type { ConfigurationOptions } from '../config/load-configuration.js';
import { CONFIGURATION_OPTIONS } from './tokens.js';

/** As for `loadConfiguration`. */
export type ConfigurationModuleOptions = ConfigurationOptions<unknown>;

const { ConfigurableModuleClass } = optionsModule<
  ConfigurationModuleOptions,
  'createConfigurationOptions'
>({
  name: 'hostx: ConfigurationModule',
  token: CONFIGURATION_OPTIONS,
  factoryMethod: 'createConfigurationOptions',
});

/**
 * Reads the layered configuration before anything that needs it is created, and provides it to every
 * module: inject `Configuration<Settings>`. A mistake in it keeps the app from starting.
 *
 * `isGlobal: false` makes its exports available only to modules that import it. Default: true.
 */
@Module({
  providers: [
    {
      provide: Configuration,
      inject: [CONFIGURATION_OPTIONS],
      useFactory: (options: ConfigurationModuleOptions) =>
        Configuration.load({ onUnread: warnOfUnread, ...options }),
    },
  ],
  exports: [Configuration],
})
export class ConfigurationModule extends ConfigurableModuleClass {}

function warnOfUnread(settings: readonly string[]): void {
  for (const text of settings) Logger.warn(text, 'Configuration');
}
