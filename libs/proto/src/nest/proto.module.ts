import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import type { DescriptorSource } from '../descriptor-source.js';
import { ProtoRegistry } from '../proto-registry.js';
import { PROTO_OPTIONS } from './tokens.js';

/** The options of ProtoModule. */
export interface ProtoModuleOptions {
  /**
   * Descriptor sets (paths relative to the working directory, or bytes) and generated
   * protobuf-es files, merged into one registry. Required.
   */
  readonly descriptors: DescriptorSource | readonly DescriptorSource[];
}

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<ProtoModuleOptions>({
  optionsInjectionToken: PROTO_OPTIONS,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createProtoOptions')
  .setExtras({ isGlobal: true }, (definition, { isGlobal }) => ({
    ...definition,
    global: isGlobal,
  }))
  .build();

/**
 * Loads the app's descriptors once and provides them as {@link ProtoRegistry}. The app does not
 * start when a source has a mistake; the error lists all of them.
 *
 * `isGlobal: false` beside the options provides them only to modules that import this one; other
 * modules of apix then do not see the descriptors. Default: true.
 */
@Module({
  providers: [
    {
      provide: ProtoRegistry,
      inject: [PROTO_OPTIONS],
      useFactory: ({ descriptors }: ProtoModuleOptions) => ProtoRegistry.load(descriptors),
    },
  ],
  exports: [ProtoRegistry],
})
export class ProtoModule extends ConfigurableModuleClass {}
