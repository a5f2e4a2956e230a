import type { DescMethod } from '@bufbuild/protobuf';
import type { ServerInterceptor } from '@grpc/grpc-js';
import { CallableServer } from '../in-process/callable-server.js';
import type { ResolvedGrpcOptions } from './grpc-options.js';

/** A grpc-js server whose every call, from the network or in-process, passes the interceptor. */
export function createServer(
  settings: ResolvedGrpcOptions,
  interceptor: ServerInterceptor,
  describe: (path: string) => DescMethod | undefined,
): CallableServer {
  return new CallableServer({ ...settings.channelOptions, interceptors: [interceptor] }, describe);
}
