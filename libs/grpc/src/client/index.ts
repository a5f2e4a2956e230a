export { GrpcClientModule } from '../nest/client/grpc-client.module.js';
export { InjectClient, clientToken } from '../nest/client/client-token.js';
export { GrpcClients } from '../nest/client/grpc-clients.js';
export type {
  AsyncOptions,
  GrpcClientDefaults,
  GrpcClientOptions,
} from '../nest/client/grpc-client.module.js';
export type { ClientLifetime } from '../nest/client/grpc-clients.js';

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
  MessageOrWire,
  TransportCall,
  TransportEnd,
  TransportHead,
  TransportListener,
} from './transport/call-transport.js';
export type { AuthorizationRule } from './inherit/authorization.js';
export type { InheritOptions } from './inherit/inherit-options.js';
export type { ClientTlsOptions } from './tls/client-tls.js';
