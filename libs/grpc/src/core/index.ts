export { grpcServerService } from '../server/grpc-server-service.js';
export { serviceDefinition } from '../descriptor/service-definition.js';
export { GrpcSetupError } from '@apix/grpc-client/core';
export type { TlsOptions } from '@apix/grpc-client/transport';
export type { Pem } from '@apix/grpc-client/internal';
export type { GrpcServerService, GrpcServerServiceOptions } from '../server/grpc-server-service.js';
export type { ListenOptions } from '../server/listen-options.js';
