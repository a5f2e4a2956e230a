import type { GrpcModuleOptions } from '@apix/grpc';
import { Environment, namedEnvironment } from '@apix/hostx/core';

/** An environment variable; undefined also when it is empty or blank, as in a form left open. */
export function setting(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value.trim() === '' ? undefined : value;
}

/** As every host has it, by APP_ENVIRONMENT or else NODE_ENV; but where neither is set, this is a machine to try it on. */
export function shopEnvironment(): Environment {
  return namedEnvironment() ?? Environment.development;
}

/** Whether what only serves trying is accepted and shown: in Development and Test, and nowhere else. */
export function isForTrying(): boolean {
  return shopEnvironment().isLocal();
}

/** The address to listen on, BIND_ADDRESS. Nothing is encrypted, so other machines are served only where asked. */
export function bindAddress(): string {
  return setting('BIND_ADDRESS') ?? '127.0.0.1';
}

/** What speaks HTTP/2 to callers of gRPC, GRPC_STACK: grpc-js, http2 or auto. The module refuses anything else. */
export function grpcStack(): NonNullable<GrpcModuleOptions['stack']> {
  return (setting('GRPC_STACK') ?? 'grpc-js') as NonNullable<GrpcModuleOptions['stack']>;
}
