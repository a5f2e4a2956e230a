import { OptionsError } from '@apix/contracts';
import { optionsModule } from '@apix/contracts/internal-nest';
import {
  anyValue,
  arrayOf,
  checkedOptions,
  type OptionTable,
  shaped,
  TEXT,
} from '@apix/contracts/internal';
import { Logger, Module, type FactoryProvider } from '@nestjs/common';
import { type DescriptorSource, DescriptorError } from '../descriptor-source.js';
import { ProtoRegistry } from '../proto-registry.js';
import { staleSets } from '../stale-sets.js';

/** Token of the options of ProtoModule. */
export const PROTO_OPTIONS = Symbol.for('apix.proto.Options');

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

const TEXTS = arrayOf(TEXT);

const PROTO_MODULE_OPTIONS = {
  // Checked when they are loaded, with everything else that is wrong with them.
  descriptors: anyValue<ProtoModuleOptions['descriptors']>(),
  sources: shaped<string | readonly string[]>((value) => (Array.isArray(value) ? TEXTS : TEXT)),
} satisfies OptionTable<ProtoModuleOptions>;

const { ConfigurableModuleClass } = optionsModule<ProtoModuleOptions, 'createProtoOptions'>({
  name: 'proto: ProtoModule',
  token: PROTO_OPTIONS,
  factoryMethod: 'createProtoOptions',
});

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
        checkedOptions(
          PROTO_MODULE_OPTIONS,
          options,
          (found) => new OptionsError('proto: ProtoModule', found),
        );
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
      `${set} is older than ${newer}: build the descriptors again; until then callers get what they were`,
    );
  }
}

/**
 * Provides the descriptors of `ProtoModule` to a module that cannot do without. Nest's own error for a missing
 * one names neither ProtoModule nor what to write.
 *
 * @param token under which the module injects them.
 * @param needer the name of the module, for the error.
 */
export function requiredProtos(token: symbol, needer: string): FactoryProvider<ProtoRegistry> {
  return {
    provide: token,
    inject: [{ token: ProtoRegistry, optional: true }],
    useFactory: (protos?: ProtoRegistry) => {
      if (protos !== undefined) return protos;
      throw new DescriptorError([
        `${needer} needs ProtoModule: add ProtoModule.forRoot({ descriptors: 'gen/api.binpb' }) to the imports of ` +
          'the root module; with isGlobal: false, only modules that import it see the descriptors',
      ]);
    },
  };
}
