export { GrpcClientModule } from './nest/grpc-client.module.js';
export { InjectClient, clientToken } from './nest/client-token.js';
export { GrpcClients } from './nest/grpc-clients.js';
export type {
  AsyncOptions,
  GrpcClientDefaults,
  GrpcClientOptions,
} from './nest/grpc-client.module.js';
export type { ClientLifetime } from './nest/grpc-clients.js';

export { channelOf, createClient, openChannel } from './client/create-client.js';
export { retriesOf } from './service-config/service-retries.js';
export { detailsOf } from './client/error-details.js';
export { uncompressed } from './compression/uncompressed.js';
export type {
  CompressionAlgorithm,
  CompressionOptions,
} from './compression/compression-options.js';
export { GrpcSetupError } from './errors.js';
export type {
  Client,
  ClientMethod,
  RequestIterable,
  ResponseStream,
} from './client/client-types.js';
export type { ClientInit } from './client/create-client.js';
export type { CallDefaults, ChannelInit, MethodOptions } from './client/client-options.js';
export type { ClientCallOptions, HeaderValue, HeadersInit } from './call/call-options.js';

export { ClientChannel } from './call/client-channel.js';
export type { CloseableCall } from './call/client-channel.js';
export type { BoundClientStage, ClientStage, OutgoingCall } from './stages/client-stage.js';
export type { CallTransport, ChannelState } from './transport/call-transport.js';
export type { AuthorizationRule } from './inherit/authorization.js';
export type { InheritOptions } from './inherit/inherit-options.js';
export type { ClientTlsOptions } from './tls/client-tls.js';
export type { ServiceConfigOptions } from './service-config/channel-config.js';
export type {
  BalanceOptions,
  BalancePolicy,
  FailureShare,
  OutlierEvidence,
  OutlierOptions,
  SuccessSpread,
} from './service-config/balance.js';
export type { RawServiceConfig } from './service-config/raw-service-config.js';
export type {
  FailureCode,
  HedgeOptions,
  MethodRetryOptions,
  RetryOptions,
  ServiceRetryOptions,
} from './service-config/retry-options.js';
export type { RetryThrottlingOptions } from './service-config/retry-throttling.js';
export type { RetriedService, ServiceRetries } from './service-config/service-retries.js';
