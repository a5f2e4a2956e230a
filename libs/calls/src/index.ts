export type {
  Call,
  CallEnd,
  CallHead,
  CallListener,
  CallServer,
  InProcessServer,
  InProcessSettings,
  MessageOrWire,
  SendContext,
} from './call/call.js';
export { PROBLEM_MEDIA_TYPE, problemOf } from './status/problem.js';
export { encodeBadRequest } from './status/bad-request.js';
export { orderStages } from './stages/stage-order.js';
export { StageOrderError } from './errors.js';
export type { FieldViolation } from './status/bad-request.js';
export type { Problem, ProblemError, ProblemOptions } from './status/problem.js';
export type { WatchableServer } from './patches/server-emit.js';
