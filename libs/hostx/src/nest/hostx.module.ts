import { optionsModule } from '@apix/contracts/internal-nest';
import { type DynamicModule, Module } from '@nestjs/common';
import { BackgroundWork } from './background/background-work.js';
import { HostRef, HostSource } from './host-ref.js';
import type { HostxModuleOptions } from './hostx-options.js';
import { CloseFirstModule, InitFirstModule } from './patches/module-order.js';
import { PlainBoot } from './plain-boot.js';
import { PlainMainDriver } from './plain-main.js';
import { HOSTX_OPTIONS } from './tokens.js';

const { ConfigurableModuleClass, OPTIONS_TYPE } = optionsModule<
  HostxModuleOptions,
  'createHostxOptions'
>({ name: 'hostx: HostxModule', token: HOSTX_OPTIONS, factoryMethod: 'createHostxOptions' });

/**
 * Settings of the host, and {@link HostRef} for every module. `runHost` works without this module; an app
 * with a plain `NestFactory.create` and `listen` needs it to run its services.
 *
 * `isGlobal: false` makes its exports available only to modules that import it. Default: true.
 */
@Module({
  imports: [CloseFirstModule, InitFirstModule],
  providers: [HostRef, HostSource, PlainBoot, BackgroundWork, PlainMainDriver],
  exports: [HostRef],
})
export class HostxModule extends ConfigurableModuleClass {
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }
}
