import 'reflect-metadata';
import type { ControllerClass, Handler } from './policy-metadata.js';

/** Nest's metadata keys of routes, message patterns, WebSocket messages and resolvers. */
const PATH = 'path';
const PATTERN = 'microservices:pattern';
/** The metadata that Nest's decorator leaves on the class of a gateway. */
export const IS_GATEWAY = 'websockets:is_gateway';
const SOCKET_MESSAGE = 'websockets:message_mapping';
const RESOLVER_TYPE = 'graphql:resolver_type';
const RESOLVE_FIELD = 'graphql:resolve_property';
const RESOLVE_REFERENCE = 'graphql:resolve_reference';

const OPERATIONS: readonly unknown[] = ['Query', 'Mutation', 'Subscription'];

/** Methods of a gateway that Nest calls for a connection, and does not guard. */
const CONNECTION_HOOKS: readonly string[] = ['handleConnection', 'handleDisconnect', 'afterInit'];

/**
 * How callers reach a method: as an HTTP or message handler (`handler`), a message of a WebSocket
 * (`socket`), a query, mutation or subscription (`operation`), a field of an object (`field`) or an
 * object of a federation (`reference`); not at all (`none`), or without Nest's guards (`hook`).
 */
export type EntryKind =
  'handler' | 'socket' | 'operation' | 'field' | 'reference' | 'hook' | 'none';

/** Whether a handler answers HTTP requests. */
export function servesHttp(handler: Handler): boolean {
  return Reflect.hasMetadata(PATH, handler);
}

/** Whether a handler gets messages of Nest's transports, or RPCs. */
export function servesMessages(handler: Handler): boolean {
  return patternsOf(handler).length > 0;
}

/** How callers reach a method of a controller. */
export function controllerEntry(handler: Handler): EntryKind {
  const isServed = servesHttp(handler) || servesMessages(handler);
  return isServed ? 'handler' : 'none';
}

/** How callers reach a method of a provider. */
export function providerEntry(provider: ControllerClass, key: string, handler: Handler): EntryKind {
  if (Reflect.hasMetadata(IS_GATEWAY, provider)) {
    if (Reflect.hasMetadata(SOCKET_MESSAGE, handler)) return 'socket';
    if (CONNECTION_HOOKS.includes(key)) return 'hook';
  }
  if (Reflect.hasMetadata(RESOLVE_REFERENCE, handler)) return 'reference';
  if (OPERATIONS.includes(Reflect.getMetadata(RESOLVER_TYPE, handler))) return 'operation';
  return Reflect.hasMetadata(RESOLVE_FIELD, handler) ? 'field' : 'none';
}

/** One RPC that a handler says it serves. */
export interface ServedRpc {
  readonly service: string;
  readonly rpc: string;
  /** Whether the handler gets the call of grpc-js itself. */
  readonly isRaw: boolean;
}

/** The RPCs that a handler serves by Nest's gRPC decorators; empty for other handlers. */
export function servedRpc(handler: object): ServedRpc[] {
  return patternsOf(handler)
    .filter(isServedRpc)
    .map(({ service, rpc, streaming }) => ({ service, rpc, isRaw: streaming === RAW }));
}

/** Whether a handler serves RPCs and nothing next to them. */
export function isOnlyRpc(handler: object): boolean {
  const patterns = patternsOf(handler);
  return patterns.length > 0 && patterns.every(isServedRpc) && !Reflect.hasMetadata(PATH, handler);
}

function patternsOf(handler: object): readonly unknown[] {
  const patterns: unknown = Reflect.getMetadata(PATTERN, handler);
  return Array.isArray(patterns) ? patterns : [];
}

interface RpcPattern {
  readonly service: string;
  readonly rpc: string;
  readonly streaming: unknown;
}

/** Nest's `GrpcMethodStreamingType.PT_STREAMING`. */
const RAW = 'pt_stream';

function isServedRpc(pattern: unknown): pattern is RpcPattern {
  return (
    typeof pattern === 'object' &&
    pattern !== null &&
    'service' in pattern &&
    'rpc' in pattern &&
    typeof pattern.service === 'string' &&
    typeof pattern.rpc === 'string' &&
    'streaming' in pattern
  );
}
