export { channelOf, createClient, openChannel } from './create-client.js';
export { detailsOf } from './error-details.js';
export { GrpcSetupError } from '../errors.js';
export type { Client, ClientMethod, RequestIterable, ResponseStream } from './client-types.js';
export type { ClientInit } from './create-client.js';
export type { CallDefaults, ChannelInit, MethodOptions } from './client-options.js';
export type { ClientCallOptions, HeaderValue, HeadersInit } from './call/call-options.js';

export { ClientChannel } from './call/client-channel.js';
export type { CloseableCall } from './call/client-channel.js';
export type { BoundClientStage, ClientStage, OutgoingCall } from './stages/client-stage.js';
export type {
  CallTransport,
  ChannelState,
  TransportCall,
  TransportEnd,
  TransportHead,
  TransportListener,
} from './transport/call-transport.js';
export type { AuthorizationRule } from './inherit/authorization.js';
export type { InheritOptions } from './inherit/inherit-options.js';
