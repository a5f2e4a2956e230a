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
export { PROBLEM_MEDIA_TYPE, problemOf, problemTypeFor } from './status/problem.js';
export { encodeBadRequest } from './status/bad-request.js';
export { orderStages } from './stages/stage-order.js';
export { StageOrderError } from './errors.js';
export type { FieldViolation } from './status/bad-request.js';
export type { Problem, ProblemError, ProblemOptions } from './status/problem.js';

export {
  carriedStatus,
  isGrpcClientError,
  isRpcException,
  statusWith,
} from './status/carried-status.js';
export { rpcStatus } from './status/rpc-status.js';
export { FROM_SERVER, generalText, isServerStatus } from './status/server-status.js';
export { decodeStatusDetails } from './status/decode-status.js';
export type { CarriedStatus, RpcExceptionLike, ServiceErrorLike } from './status/carried-status.js';
export type { EndedCall, ReceivedMetadata } from './status/server-status.js';
export { HttpMetadata } from './http/http-metadata.js';
export { peerCertificate } from './certificate/peer-certificate.js';
export { enterServer } from './entrances/entrances.js';
export type { RequestEntrance } from './entrances/entrance.js';
export { bindEvents } from './patches/bound-events.js';
export type { EventContext } from './patches/bound-events.js';
export { onResponseEnd } from './patches/response-end.js';
export type { EndObserver, ResponseEnd } from './patches/response-end.js';
export { giveHeader, responseHeaderNames, responseHeaderOf } from './patches/response-head.js';
export { watchUpgrade } from './patches/upgrade-watch.js';
export type { UpgradeEnd, UpgradeObserver } from './patches/upgrade-watch.js';
export { upgradePresence, watchUpgrades } from './patches/server-emit.js';
export type { ServerEmit, UpgradeEvent, WatchableServer } from './patches/server-emit.js';
