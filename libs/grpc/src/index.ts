export { GrpcModule, connectGrpc } from './nest/grpc.module.js';
export { GrpcServer } from './nest/grpc-server.js';
export { GrpcSetupError } from './errors.js';
export type { GrpcOptions, KeepAliveOptions } from './server/grpc-options.js';
export type { Pem, TlsOptions } from './server/tls.js';
