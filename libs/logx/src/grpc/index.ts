export { logInterceptor } from './log-interceptor.js';
export type { GrpcLogOptions } from './grpc-options.js';
export type { CodeName, GrpcOutcome } from './grpc-outcome.js';
