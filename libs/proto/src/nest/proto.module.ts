import { ConfigurableModuleBuilder, Global, Module } from '@nestjs/common';
import type { DescriptorSource } from '../descriptor-source.js';
import { ProtoRegistry } from '../proto-registry.js';

export interface ProtoModuleOptions {
  /**
   * Descriptor sets (paths relative to the working directory, or bytes) and generated
   * protobuf-es files, merged into one registry. Required.
   */
  readonly descriptors: DescriptorSource | readonly DescriptorSource[];
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<ProtoModuleOptions>().setClassMethodName('forRoot').build();

/**
 * Loads the app's descriptors once and provides them to everybody as {@link ProtoRegistry}.
 * Global. The app does not start when a source has a mistake; the error lists all of them.
 */
@Global()
@Module({
  providers: [
    {
      provide: ProtoRegistry,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: ({ descriptors }: ProtoModuleOptions) => ProtoRegistry.load(descriptors),
    },
  ],
  exports: [ProtoRegistry],
})
export class ProtoModule extends ConfigurableModuleClass {}
