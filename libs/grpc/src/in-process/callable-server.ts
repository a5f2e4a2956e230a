import type { DescMethod } from '@bufbuild/protobuf';
import {
  Server,
  type ServerInterceptor,
  type ServerOptions,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { serverLimits } from './message-path.js';
import { readOneAhead } from '../patches/read-ahead.js';
import {
  type HandleCall,
  type HandlerType,
  type ServedHandler,
  servedHandler,
} from './served-handler.js';
import { settling } from './settle.js';
import { type AnsweredCall, boundAnswers } from '../flow/answer-flow.js';
import { DEFAULT_UNSENT_LIMITS, UnsentAnswers, type UnsentLimits } from '../flow/unsent-answers.js';

/** A grpc-js server that knows its handlers, so that they can be called without a connection. */
export class CallableServer extends Server {
  readonly callInterceptors: readonly ServerInterceptor[];
  readonly limits: ReturnType<typeof serverLimits>;
  readonly #handlers = new Map<string, ServedHandler>();
  readonly #describe: (path: string) => DescMethod | undefined;
  readonly #unsent: UnsentAnswers;

  constructor(
    options: ServerOptions,
    describe: (path: string) => DescMethod | undefined,
    limits: UnsentLimits = DEFAULT_UNSENT_LIMITS,
  ) {
    super(options);
    this.#unsent = new UnsentAnswers(limits);
    this.callInterceptors = options.interceptors ?? [];
    this.limits = serverLimits(options);
    this.#describe = describe;
  }

  /** The method that `addService` calls for each method. */
  override register(
    path: string,
    handler: UntypedHandleCall,
    serialize: (message: never) => Buffer,
    deserialize: (bytes: Buffer) => unknown,
    type: string,
  ): boolean {
    const shape = type as HandlerType;
    const handle = settling(this.#bounded(handler as HandleCall, shape), shape);
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

  #bounded(handle: HandleCall, shape: HandlerType): HandleCall {
    if (shape === 'unary') return handle;
    return (call, answer) => {
      if (shape !== 'serverStream') readOneAhead(call as Parameters<typeof readOneAhead>[0]);
      if (shape !== 'clientStream') boundAnswers(call as AnsweredCall, this.#unsent);
      return handle(call, answer);
    };
  }

  handlerOf(path: string): ServedHandler | undefined {
    return this.#handlers.get(path);
  }
}
