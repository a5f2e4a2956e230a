import { ServerReflection } from '../gen/grpc/reflection/v1/reflection_pb.js';
import { ServerReflection as AlphaServerReflection } from '../gen/grpc/reflection/v1alpha/reflection_pb.js';

/** The services of the reflection protocol, in the order in which clients try them. */
export const REFLECTION_DESCRIPTORS = [ServerReflection, AlphaServerReflection] as const;
