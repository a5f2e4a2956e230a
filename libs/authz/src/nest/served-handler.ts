import 'reflect-metadata';

/** Nest's metadata keys of routes and of message patterns, which it does not export. */
const PATH = 'path';
const PATTERN = 'microservices:pattern';

/** One RPC that a handler says it serves. */
export interface ServedRpc {
  readonly service: string;
  readonly rpc: string;
}

/** Whether Nest serves a method of a controller at all. */
export function isServed(handler: object): boolean {
  return Reflect.hasMetadata(PATH, handler) || patternsOf(handler).length > 0;
}

/** The RPCs that a handler serves by Nest's gRPC decorators; none for other handlers. */
export function servedRpc(handler: object): ServedRpc[] {
  return patternsOf(handler).filter(isServedRpc);
}

/** Whether a handler serves RPCs and nothing beside them. */
export function isOnlyRpc(handler: object): boolean {
  const patterns = patternsOf(handler);
  return patterns.length > 0 && patterns.every(isServedRpc) && !Reflect.hasMetadata(PATH, handler);
}

function patternsOf(handler: object): readonly unknown[] {
  const patterns: unknown = Reflect.getMetadata(PATTERN, handler);
  return Array.isArray(patterns) ? patterns : [];
}

function isServedRpc(pattern: unknown): pattern is ServedRpc {
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
