export { GrpcModule, connectGrpc } from './nest/grpc.module.js';
export { GrpcService } from './nest/grpc-service.decorator.js';
export { GrpcServer } from './nest/grpc-server.js';
export { GRPC_OPTIONS } from './nest/tokens.js';
export { GrpcSetupError } from './errors.js';
export { uncompressed } from './compression/uncompressed.js';
export { wasCompressed } from './compression/was-compressed.js';
export { trailersOf } from './in-process/answer-trailers.js';
export type {
  CompressionAlgorithm,
  CompressionOptions,
} from './compression/compression-options.js';
export type { MethodImpl, ServiceImpl } from './nest/service-impl.js';
export type { GrpcModuleOptions, KeepAliveOptions } from './server/grpc-options.js';
export type { ListenOptions } from './server/listen-options.js';
export type { Pem, TlsOptions } from './server/tls.js';

export { grpcServerService } from './server/grpc-server-service.js';
export { serviceDefinition } from './descriptor/service-definition.js';
export type { GrpcServerService, GrpcServerServiceOptions } from './server/grpc-server-service.js';
