import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { HostRef } from './host-ref.js';
import { HostSource } from './host-source.js';
import type { HostxOptions } from './hostx-options.js';
import { PlainMainDriver } from './plain-main.js';
import { HOSTX_OPTIONS } from './tokens.js';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<HostxOptions>({
  optionsInjectionToken: HOSTX_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setExtras({ isGlobal: true }, (definition, { isGlobal }) => ({
    ...definition,
    global: isGlobal,
  }))
  .build();

/**
 * Settings of the host, and {@link HostRef} for everybody. `runHost` works without this module;
 * an app with a plain `NestFactory.create` and `listen` needs it to have its services run.
 */
@Module({
  providers: [HostRef, HostSource, PlainMainDriver],
  exports: [HostRef],
})
export class HostxModule extends ConfigurableModuleClass {}
