import { optionsModule } from '@apix/contracts/nest';
import { type DynamicModule, Inject, Module, type NestModule } from '@nestjs/common';
import { BackgroundWork } from './background/background-work.js';
import { HostRef } from './host-ref.js';
import { HostSource } from './host-source.js';
import type { HostxModuleOptions } from './hostx-options.js';
import { CloseFirstModule } from './patches/close-first.module.js';
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
  imports: [CloseFirstModule],
  providers: [HostRef, HostSource, PlainBoot, BackgroundWork, PlainMainDriver],
  exports: [HostRef],
})
export class HostxModule extends ConfigurableModuleClass implements NestModule {
  constructor(@Inject(PlainMainDriver) private readonly driver: PlainMainDriver) {
    super();
  }

  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /** Adds no middleware: it is the one call of Nest that comes before every `onModuleInit`. */
  async configure(): Promise<void> {
    await this.driver.onModuleInit();
  }
}
