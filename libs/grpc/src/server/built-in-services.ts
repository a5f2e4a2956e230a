import type { ProtoRegistry } from '@apix/proto/core';
import type { DescService } from '@bufbuild/protobuf';
import { Health } from '@apix/grpc-client/protos';
import { REFLECTION_DESCRIPTORS } from '@apix/grpc-client/internal';
import { healthService } from '../health/health-service.js';
import type { ServingState } from '../health/serving-state.js';
import { DescriptorIndex } from '../reflection/descriptor-index.js';
import { reflectionServices } from '../reflection/reflection-services.js';
import type { BuiltInService } from './built-in.js';
import type { ResolvedGrpcOptions } from './grpc-options.js';

/**
 * The services that the server adds to those of the app's controllers; a controller that serves
 * one of them itself keeps it.
 */
export function builtInServices(
  registry: ProtoRegistry,
  served: readonly DescService[],
  { health, reflection }: Pick<ResolvedGrpcOptions, 'health' | 'reflection'>,
  state: ServingState,
): readonly BuiltInService[] {
  const own = new Set(served.map(({ typeName }) => typeName));
  const added = [...(health ? [Health] : []), ...(reflection ? REFLECTION_DESCRIPTORS : [])].filter(
    ({ typeName }) => !own.has(typeName),
  );
  const names = [...served, ...added].map(({ typeName }) => typeName);
  const services: BuiltInService[] = [];
  if (health) services.push(healthService(state, names));
  if (reflection) {
    const files = [...registry.registry.files, ...added.map(({ file }) => file)];
    services.push(...reflectionServices(new DescriptorIndex(files), names));
  }
  return services.filter(({ desc }) => !own.has(desc.typeName));
}
