import { ConfigurableModuleBuilder, Logger, Module } from '@nestjs/common';
import type { DescriptorSource } from '../descriptor-source.js';
import { ProtoRegistry } from '../proto-registry.js';
import { staleSets } from '../stale-sets.js';
import { PROTO_OPTIONS } from './tokens.js';

/** The options of ProtoModule. */
export interface ProtoModuleOptions {
  /**
   * Descriptor sets (paths relative to the working directory, or bytes) and generated
   * protobuf-es files, merged into one registry. Required.
   */
  readonly descriptors: DescriptorSource | readonly DescriptorSource[];
  /**
   * Folders of the .proto files, relative to the working directory. A descriptor set that is older than
   * one of them causes a warning at the start, which names both. Default: not compared.
   */
  readonly sources?: string | readonly string[];
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
 * Loads the app's descriptors once and provides them as {@link ProtoRegistry}. The app does not start when
 * a source has a mistake; the error lists all of them.
 *
 * `isGlobal: false` among the options provides them only to modules that import this one; other modules of
 * apix then do not see the descriptors. Default: true.
 */
@Module({
  providers: [
    {
      provide: ProtoRegistry,
      inject: [PROTO_OPTIONS],
      useFactory: (options: ProtoModuleOptions) => {
        warnOfStaleSets(options);
        return ProtoRegistry.load(options.descriptors);
      },
    },
  ],
  exports: [ProtoRegistry],
})
export class ProtoModule extends ConfigurableModuleClass {}

function warnOfStaleSets({ descriptors, sources = [] }: ProtoModuleOptions): void {
  const folders = typeof sources === 'string' ? [sources] : sources;
  for (const { set, newer } of staleSets(descriptors, folders)) {
    new Logger('ProtoModule').warn(
      `${set} is older than ${newer}: build the descriptors again, or callers meet what they were`,
    );
  }
}
