export { Health, HealthCheckResponse_ServingStatus } from '../gen/grpc/health/v1/health_pb.js';
export type { HealthCheckRequest } from '../gen/grpc/health/v1/health_pb.js';
export { ServerReflection } from '../gen/grpc/reflection/v1/reflection_pb.js';
export type { ServerReflectionRequest } from '../gen/grpc/reflection/v1/reflection_pb.js';
export { ServerReflection as AlphaServerReflection } from '../gen/grpc/reflection/v1alpha/reflection_pb.js';
