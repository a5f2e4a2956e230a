import type { DescMethod } from '@bufbuild/protobuf';
import {
  Server,
  type ServerInterceptor,
  type ServerOptions,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { DEFAULT_UNSENT_LIMITS, type UnsentLimits } from '../flow/unsent-answers.js';
import { serverLimits } from './message-path.js';
import type { HandleCall, HandlerType, ServedHandler } from './served-handler.js';
import { type CalledServer, ServedHandlers } from './served-handlers.js';

/** A grpc-js server that knows its handlers, so that they can be called without a connection. */
export class CallableServer extends Server implements CalledServer {
  readonly callInterceptors: readonly ServerInterceptor[];
  readonly limits: ReturnType<typeof serverLimits>;
  readonly #handlers: ServedHandlers;

  constructor(
    options: ServerOptions,
    describe: (path: string) => DescMethod | undefined,
    limits: UnsentLimits = DEFAULT_UNSENT_LIMITS,
  ) {
    super(options);
    this.#handlers = new ServedHandlers(describe, limits);
    this.callInterceptors = options.interceptors ?? [];
    this.limits = serverLimits(options);
  }

  /** The method that `addService` calls for each method. */
  override register(
    path: string,
    handler: UntypedHandleCall,
    serialize: (message: never) => Buffer,
    deserialize: (bytes: Buffer) => unknown,
    type: string,
  ): boolean {
    const codec = { deserialize, serialize };
    const handle = handler as HandleCall;
    const served = this.#handlers.prepare({ path, handle, type: type as HandlerType, codec });
    const isNew = super.register<unknown, never>(path, served.handle, serialize, deserialize, type);
    if (isNew) this.#handlers.add(served);
    return isNew;
  }

  override unregister(name: string): boolean {
    this.#handlers.remove(name);
    return super.unregister(name);
  }

  handlerOf(path: string): ServedHandler | undefined {
    return this.#handlers.of(path);
  }
}
