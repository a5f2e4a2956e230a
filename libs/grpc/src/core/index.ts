export { grpcServerService } from '../server/grpc-server-service.js';
export { serviceDefinition } from '../descriptor/service-definition.js';
export { GrpcSetupError, ReflectionError } from '../errors.js';
export type { GrpcServerService, GrpcServerServiceOptions } from '../server/grpc-server-service.js';
export type { ListenOptions } from '../server/listen-options.js';
export type { Pem, TlsOptions } from '../server/tls.js';

export { checkHealth } from '../health-client/check-health.js';
export { reflectDescriptors } from '../reflection-client/reflect-descriptors.js';
export { openClientCertificates } from '../client/tls/client-certificates.js';
export type { ServingHealth } from '../health-client/check-health.js';
export type { ReflectionOptions } from '../reflection-client/reflection-options.js';
export type { ClientCertificates } from '../client/tls/client-certificates.js';

export { channelOf, createClient, openChannel } from '../client/create-client.js';
export { retriesOf } from '../client/service-config/service-retries.js';
export { detailsOf } from '../client/error-details.js';
export { uncompressed } from '../compression/uncompressed.js';
export type {
  CompressionAlgorithm,
  CompressionOptions,
} from '../compression/compression-options.js';
export { ClientChannel } from '../client/call/client-channel.js';
export type {
  Client,
  ClientMethod,
  RequestIterable,
  ResponseStream,
} from '../client/client-types.js';
export type { ClientInit } from '../client/create-client.js';
export type { CallDefaults, ChannelInit, MethodOptions } from '../client/client-options.js';
export type { ClientCallOptions, HeaderValue, HeadersInit } from '../client/call/call-options.js';
export type { BoundClientStage, ClientStage, OutgoingCall } from '../client/stages/client-stage.js';
export type { AuthorizationRule } from '../client/inherit/authorization.js';
export type { InheritOptions } from '../client/inherit/inherit-options.js';
export type { ClientTlsOptions } from '../client/tls/client-tls.js';
