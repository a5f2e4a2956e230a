export { stageInterceptor } from './stage-interceptor.js';

export { callOf, noteFailure } from './staged-grpc-call.js';
export { statusOf } from './status.js';
export type { GrpcStatus } from './status.js';
