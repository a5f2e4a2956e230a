export { GatewayModule } from './nest/gateway.module.js';
export { GatewayRef } from './nest/gateway-ref.js';
export { GatewayServer } from './nest/gateway-server.js';
export { GATEWAY_OPTIONS } from './nest/gateway-module-options.js';
export { GatewayConfigError } from './errors.js';
export { RPC_CORS } from './http/protocols/rpc-cors.js';
export { setRpcHeaders } from './http/protocols/rpc-headers.js';
export type { Compressor } from './http/protocols/coding.js';
export type {
  CodecName,
  GatewayProtocol,
  MessageFraming,
  FramingReader,
  ProtocolName,
  RequestForm,
  RpcAnswer,
  RpcContext,
  RpcForm,
  RpcFrame,
  RpcOutcome,
  RpcRequest,
} from './http/protocols/protocol.js';
export type { GatewayModuleOptions } from './nest/gateway-module-options.js';
export type { Middleware, Next } from './http/gateway-options.js';
export type { ErrorFormat, TranscodingOptions } from './options.js';
export type { AllowedOrigins } from './request/origins.js';

export { inProcessUpstream } from './upstream/in-process-upstream.js';
export { networkUpstream } from './upstream/network-upstream.js';
export { Gateway } from './http/gateway.js';
export type { NetworkUpstreamOptions } from './upstream/network-upstream.js';
export type { TransportKind, Upstream } from './upstream/upstream.js';
export type { CallTransport, ChannelState } from '@apix/grpc-client/transport';
export type { GatewayOptions, RequestHandler } from './http/gateway-options.js';
export type { WebSocketSupport } from './http/websocket-door.js';
export { buildOpenApi } from './openapi/build-document.js';
export type { OpenApiOptions, OpenApiSource } from './openapi/build-document.js';
export type { OpenApiDocument } from './openapi/document.js';
export type { OtherProtocols } from './openapi/other-protocols.js';
export type { Binding, BodyRule, BoundVariable } from './rules/binding.js';
export type { TrustProxy } from './metadata/trust-proxy.js';
export type { HttpBindingInit, HttpRuleInit } from './rules/extra-rules.js';
