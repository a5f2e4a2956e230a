import { Server, type ServerInterceptor } from '@grpc/grpc-js';
import type { ResolvedGrpcOptions } from './grpc-options.js';

/** A grpc-js server whose every call passes the interceptor. */
export function createServer(
  settings: ResolvedGrpcOptions,
  interceptor: ServerInterceptor,
): Server {
  return new Server({ ...settings.channelOptions, interceptors: [interceptor] });
}
