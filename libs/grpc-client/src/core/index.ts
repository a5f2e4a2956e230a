export { channelOf, createClient, openChannel } from '../client/create-client.js';
export { retriesOf } from '../service-config/service-retries.js';
export { detailsOf } from '../client/error-details.js';
export { uncompressed } from '../compression/uncompressed.js';
export type {
  CompressionAlgorithm,
  CompressionOptions,
} from '../compression/compression-options.js';
export { ClientChannel } from '../call/client-channel.js';
export type {
  Client,
  ClientMethod,
  RequestIterable,
  ResponseStream,
} from '../client/client-types.js';
export type { ClientInit } from '../client/create-client.js';
export type { CallDefaults, ChannelInit, MethodOptions } from '../client/client-options.js';
export type { ClientCallOptions, HeaderValue, HeadersInit } from '../call/call-options.js';
export type { BoundClientStage, ClientStage, OutgoingCall } from '../stages/client-stage.js';
export type { AuthorizationRule } from '../inherit/authorization.js';
export type { InheritOptions } from '../inherit/inherit-options.js';
export type { ClientTlsOptions } from '../tls/client-tls.js';

export { checkHealth } from '../health/check-health.js';
export { reflectDescriptors } from '../reflection/reflect-descriptors.js';
export { GrpcSetupError, ReflectionError } from '../errors.js';
export type { ServingHealth } from '../health/check-health.js';
export type { ReflectionOptions } from '../reflection/reflection-options.js';
