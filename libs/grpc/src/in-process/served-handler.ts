import type { DescMethod } from '@bufbuild/protobuf';
import type { ServerMethodDefinition } from '@grpc/grpc-js';

/** The names that `Server.register` uses for the four shapes of a call. */
export type HandlerType = 'unary' | 'clientStream' | 'serverStream' | 'bidi';

/** grpc-js types a handler by its shape; here it is called with whatever its shape asks for. */
export type HandleCall = (call: unknown, answer?: unknown) => unknown;

/** The server's codec of a method. */
export interface ServerCodec {
  readonly deserialize: (bytes: Buffer) => unknown;
  readonly serialize: (message: never) => Buffer;
}

/** A handler as a server knows it. */
export interface ServedHandler {
  readonly path: string;
  readonly type: HandlerType;
  readonly handle: HandleCall;
  /** As interceptors get it. */
  readonly definition: ServerMethodDefinition<unknown, unknown>;
  /** undefined for a service that the descriptors do not have. */
  readonly desc: DescMethod | undefined;
}

export function servedHandler(
  path: string,
  type: HandlerType,
  handle: HandleCall,
  { serialize, deserialize }: ServerCodec,
  desc: DescMethod | undefined,
): ServedHandler {
  const definition = {
    path,
    requestStream: type === 'clientStream' || type === 'bidi',
    responseStream: type === 'serverStream' || type === 'bidi',
    requestDeserialize: deserialize,
    responseSerialize: serialize as (message: unknown) => Buffer,
  };
  return { path, type, handle, definition, desc };
}
