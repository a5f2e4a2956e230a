export { callOf, noteFailure } from './staged-grpc-call.js';
export { stageInterceptor } from './stage-interceptor.js';

export { statusOf } from './status.js';
export { StageChain } from './stage-chain.js';
export { bindStages } from './bound-chain.js';
export type { BoundChain } from './bound-chain.js';
export type { GrpcStatus } from './status.js';
