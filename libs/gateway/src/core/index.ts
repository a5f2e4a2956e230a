export { Gateway } from '../http/gateway.js';
export { inProcessUpstream } from '../upstream/in-process-upstream.js';
export { networkUpstream } from '../upstream/network-upstream.js';
export { GatewayConfigError } from '../errors.js';
export { RPC_CORS } from '../http/protocols/rpc-cors.js';
export { setRpcHeaders } from '../http/protocols/rpc-headers.js';
export type { Compressor } from '../http/protocols/coding.js';
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
} from '../http/protocols/protocol.js';
export type { GatewayOptions, Middleware, Next, RequestHandler } from '../http/gateway-options.js';
export type { OuterPrefix } from '../http/mount-point.js';
export type { ErrorFormat, TranscodingOptions } from '../options.js';
export type { AllowedOrigins } from '../request/origins.js';
export type { WebSocketSupport } from '../http/websocket-door.js';

export { compileServices } from '../rules/compile-services.js';
export { buildOpenApi } from '../openapi/build-document.js';
export type { OpenApiOptions, OpenApiSource } from '../openapi/build-document.js';
export type { OpenApiDocument } from '../openapi/document.js';
export type { OtherProtocols } from '../openapi/other-protocols.js';
export type { Binding, BodyRule, BoundVariable } from '../rules/binding.js';
export type { NetworkUpstreamOptions } from '../upstream/network-upstream.js';
export type { CallAdmission } from '../upstream/call-admission.js';
export type { TransportKind, Upstream } from '../upstream/upstream.js';
export type { CallTransport, ChannelState } from '@apix/grpc-client/transport';
export type { TrustProxy } from '../metadata/forwarded.js';
export type { PathTemplate, TemplateSegment, TemplateVariable } from '../template/path-template.js';
export type { HttpBindingInit, HttpRuleInit } from '../rules/extra-rules.js';
