import type { FactoryProvider } from '@nestjs/common';
import { DescriptorError } from '../descriptor-error.js';
import { ProtoRegistry } from '../proto-registry.js';

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
