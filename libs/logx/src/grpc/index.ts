export { logInterceptor } from './log-interceptor.js';
export type { GrpcLogOptions } from './grpc-options.js';
