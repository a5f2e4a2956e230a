import type { Metadata } from '@grpc/grpc-js';
import type { PeerCertificate } from 'node:tls';

/** The part of a grpc-js server call that is used, whatever its kind. */
interface GrpcCall {
  readonly metadata: Metadata;
  readonly cancelled: boolean;
  getPath(): string;
  getPeer(): string;
  getAuthContext(): { readonly sslPeerCertificate?: PeerCertificate };
  emit(event: 'error', error: object): boolean;
  once(event: 'cancelled', listener: () => void): unknown;
}

type Callback = (error: object) => void;

/** What Nest hands to a gRPC handler. */
export interface GrpcArguments {
  readonly call: GrpcCall;
  /** Set for `@GrpcStreamCall`, where the result of the handler or of a filter is not read. */
  readonly end?: Callback;
}

/** Finds the grpc-js call among a handler's arguments; undefined for other transports. */
export function grpcArguments(args: readonly unknown[]): GrpcArguments | undefined {
  const call = args.find(isGrpcCall);
  if (call === undefined) return undefined;
  if (args[0] !== call) return { call };
  const callback = args.find((arg): arg is Callback => typeof arg === 'function');
  return { call, end: callback ?? ((error) => call.emit('error', error)) };
}

function isGrpcCall(value: unknown): value is GrpcCall {
  return (
    typeof value === 'object' &&
    value !== null &&
    'metadata' in value &&
    'getPath' in value &&
    typeof value.getPath === 'function'
  );
}
