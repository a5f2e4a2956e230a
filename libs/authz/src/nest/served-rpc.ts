/** Nest's metadata keys of `@GrpcMethod` and its kin, which it does not export. */
const PATTERN = 'microservices:pattern';

/** One RPC that a handler says it serves. */
export interface ServedRpc {
  readonly service: string;
  readonly rpc: string;
}

/** The RPCs that a handler serves by Nest's gRPC decorators; none for other handlers. */
export function servedRpc(handler: object): ServedRpc[] {
  const patterns: unknown = Reflect.getMetadata(PATTERN, handler);
  return Array.isArray(patterns) ? patterns.filter(isServedRpc) : [];
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
