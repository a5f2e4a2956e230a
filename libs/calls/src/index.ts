export { IN_PROCESS_SETTINGS } from './call/call.js';
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

export { carriedStatus, isGrpcClientError, isRpcException } from './status/carried-status.js';
export { rpcStatus } from './status/rpc-status.js';
export type { CarriedStatus, RpcExceptionLike } from './status/carried-status.js';
export { enterServer } from './entrances/entrances.js';
export type { RequestEntrance } from './entrances/entrances.js';
export { onResponseEnd } from './patches/watched-events.js';
export type { EndObserver, ResponseEnd } from './patches/watched-events.js';
export { watchUpgrade } from './patches/upgrade-watch.js';
export type { UpgradeEnd, UpgradeObserver } from './patches/upgrade-watch.js';
export { upgradePresence, watchUpgrades } from './patches/server-emit.js';
export type { ServerEmit, UpgradeEvent, WatchableServer } from './patches/server-emit.js';
