export { GrpcModule, connectGrpc } from './nest/grpc.module.js';
export { GrpcServer } from './nest/grpc-server.js';
export { GrpcSetupError } from './errors.js';
export type { GrpcOptions } from './server/grpc-options.js';
