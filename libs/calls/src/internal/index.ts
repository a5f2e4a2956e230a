export { failureOfCall } from '../call/call-failure.js';
export { IN_PROCESS_SETTINGS } from '../call/call.js';
export { peerCertificate } from '../certificate/peer-certificate.js';
export type { RequestEntrance } from '../entrances/entrance.js';
export { enterServer } from '../entrances/entrances.js';
export { HttpMetadata } from '../http/http-metadata.js';
export { BodyChunks, bodyReadBefore } from '../http/request-body.js';
export { requestPeer } from '../http/request-peer.js';
export { bindEvents } from '../patches/bound-events.js';
export type { EventContext } from '../patches/bound-events.js';
export {
  closeUnlessComplete,
  closeWithConnection,
  lingerUnparsed,
} from '../patches/close-connection.js';
export { onResponseEnd } from '../patches/response-end.js';
export type { EndObserver, ResponseEnd } from '../patches/response-end.js';
export { giveHeader, responseHeaderNames, responseHeaderOf } from '../patches/response-head.js';
export { upgradePresence, watchUpgrades } from '../patches/server-emit.js';
export type { ServerEmit, UpgradeEvent } from '../patches/server-emit.js';
export { watchUpgrade } from '../patches/upgrade-watch.js';
export type { UpgradeEnd, UpgradeObserver } from '../patches/upgrade-watch.js';
export {
  statusWith,
  carriedStatus,
  isGrpcClientError,
  isRpcException,
} from '../status/carried-status.js';
export type { CarriedStatus, RpcExceptionLike } from '../status/carried-status.js';
export { decodeStatusDetails } from '../status/decode-status.js';
export { problemTypeFor } from '../status/problem.js';
export { withDetails } from '../status/replace-details.js';
export { rpcStatus } from '../status/rpc-status.js';
export { FROM_SERVER, generalText, isServerStatus } from '../status/server-status.js';
