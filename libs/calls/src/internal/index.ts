export type { StagedCarrier } from '../grpc/staged-grpc-call.js';
export { peerCertificate } from '../certificate/peer-certificate.js';
export { failureOfCall } from '../call/call-failure.js';
export { HttpMetadata } from '../http/http-metadata.js';
export { requestPeer } from '../http/request-peer.js';
export { BodyChunks, bodyReadBefore } from '../http/request-body.js';
export {
  closeUnlessComplete,
  closeWithConnection,
  lingerUnparsed,
} from '../patches/close-connection.js';
export { bindEvents } from '../patches/watched-events.js';
export type { EventContext } from '../patches/watched-events.js';
export { giveHeader, responseHeaderNames, responseHeaderOf } from '../patches/response-head.js';
export { statusWith } from '../status/carried-status.js';
export { decodeStatusDetails } from '../status/decode-status.js';
export { withDetails } from '../status/replace-details.js';
export { problemTypeFor } from '../status/problem.js';
export { FROM_SERVER, generalText, isServerStatus } from '../status/server-status.js';
