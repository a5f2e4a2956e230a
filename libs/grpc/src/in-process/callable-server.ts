import type { DescMethod } from '@bufbuild/protobuf';
import {
  Server,
  type ServerInterceptor,
  type ServerOptions,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import {
  type HandleCall,
  type HandlerType,
  type ServedHandler,
  servedHandler,
} from './served-handler.js';
import { settling } from './settle.js';

/** A grpc-js server that knows its handlers, so that they can be called without a connection. */
export class CallableServer extends Server {
  readonly callInterceptors: readonly ServerInterceptor[];
  readonly #handlers = new Map<string, ServedHandler>();
  readonly #describe: (path: string) => DescMethod | undefined;

  constructor(options: ServerOptions, describe: (path: string) => DescMethod | undefined) {
    super(options);
    this.callInterceptors = options.interceptors ?? [];
    this.#describe = describe;
  }

  /** What `addService` calls for each method. */
  override register(
    path: string,
    handler: UntypedHandleCall,
    serialize: (message: never) => Buffer,
    deserialize: (bytes: Buffer) => unknown,
    type: string,
  ): boolean {
    const shape = type as HandlerType;
    const handle = settling(handler as HandleCall, shape);
    const isNew = super.register<unknown, never>(path, handle, serialize, deserialize, type);
    if (isNew) {
      const codec = { deserialize, serialize };
      this.#handlers.set(path, servedHandler(path, shape, handle, codec, this.#describe(path)));
    }
    return isNew;
  }

  override unregister(name: string): boolean {
    this.#handlers.delete(name);
    return super.unregister(name);
  }

  handlerOf(path: string): ServedHandler | undefined {
    return this.#handlers.get(path);
  }
}
