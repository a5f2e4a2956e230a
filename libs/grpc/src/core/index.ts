export { grpcServerService } from '../server/grpc-server-service.js';
export { serviceDefinition } from '../descriptor/service-definition.js';
export { GrpcSetupError } from '../errors.js';
export type { GrpcServerService, GrpcServerServiceOptions } from '../server/grpc-server-service.js';
export type { ListenOptions } from '../server/listen-options.js';
export type { Pem, TlsOptions } from '../server/tls.js';
