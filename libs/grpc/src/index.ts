export { GrpcModule, connectGrpc } from './nest/grpc.module.js';
export { GrpcService } from './nest/grpc-service.decorator.js';
export { GrpcServer } from './nest/grpc-server.js';
export { GRPC_OPTIONS } from './nest/tokens.js';
export { GrpcSetupError, uncompressed } from '@apix/grpc-client/core';
export type { CompressionAlgorithm, CompressionOptions } from '@apix/grpc-client/core';
export type { TlsOptions } from '@apix/grpc-client/transport';
export type { Pem } from '@apix/grpc-client/internal';
export { wasCompressed } from './compression/was-compressed.js';
export { trailersOf } from './in-process/settle.js';
export type { MethodImpl, ServiceImpl } from './nest/service-impl.js';
export type { GrpcModuleOptions, KeepAliveOptions } from './server/grpc-options.js';
export type { LoaderOptions } from './loader/loader-options.js';
export type { ListenOptions } from './server/listen-options.js';

export { grpcServerService } from './server/grpc-server-service.js';
export { serviceDefinition } from './descriptor/service-definition.js';
export type { GrpcServerService, GrpcServerServiceOptions } from './server/grpc-server-service.js';
