export { logInterceptor } from './log-interceptor.js';
export type { GrpcLogOptions } from './grpc-options.js';
export type { CodeName } from '../request/code-level.js';
export type { GrpcOutcome } from './grpc-outcome.js';
