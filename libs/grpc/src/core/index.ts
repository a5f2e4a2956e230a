export { grpcServerService } from '../server/grpc-server-service.js';
export { serviceDefinition } from '../descriptor/service-definition.js';
export { GrpcSetupError } from '@apix/grpc-client/core';
export type { Pem, TlsOptions } from '@apix/grpc-client/transport';
export type { GrpcServerService, GrpcServerServiceOptions } from '../server/grpc-server-service.js';
export type { ListenOptions } from '../server/listen-options.js';
