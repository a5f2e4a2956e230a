import type { ProtoRegistry } from '@apix/proto/core';
import type { DescService } from '@bufbuild/protobuf';
import { DescriptorIndex } from '../reflection/descriptor-index.js';
import { REFLECTION_DESCRIPTORS, reflectionServices } from '../reflection/reflection-services.js';
import type { BuiltInService } from './built-in.js';
import type { ResolvedGrpcOptions } from './grpc-options.js';

/**
 * The services that the server adds to those of the app's controllers; a controller that serves
 * one of them itself keeps it.
 */
export function builtInServices(
  registry: ProtoRegistry,
  served: readonly DescService[],
  { reflection }: Pick<ResolvedGrpcOptions, 'reflection'>,
): readonly BuiltInService[] {
  const own = new Set(served.map(({ typeName }) => typeName));
  const added = reflection ? REFLECTION_DESCRIPTORS.filter((it) => !own.has(it.typeName)) : [];
  if (added.length === 0) return [];
  const names = [...served, ...added].map(({ typeName }) => typeName);
  const index = new DescriptorIndex([...registry.registry.files, ...added.map(({ file }) => file)]);
  return reflectionServices(index, names).filter(({ desc }) => !own.has(desc.typeName));
}
