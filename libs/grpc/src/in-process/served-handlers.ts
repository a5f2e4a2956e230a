import type { DescMethod } from '@bufbuild/protobuf';
import type { ServerInterceptor } from '@grpc/grpc-js';
import { type AnsweredCall, boundAnswers } from '../flow/answer-flow.js';
import { UnsentAnswers, type UnsentLimits } from '../flow/unsent-answers.js';
import { readOneAhead } from '../patches/read-ahead.js';
import type { ByteLimits } from './message-path.js';
import {
  type HandleCall,
  type HandlerType,
  type ServedHandler,
  type ServerCodec,
  servedHandler,
} from './served-handler.js';
import { settling } from './settle.js';

/** A server whose handlers can be called, whatever carries the call. */
export interface CalledServer {
  /** What each call passes before its handler; the last one is the outermost. */
  readonly callInterceptors: readonly ServerInterceptor[];
  readonly limits: Omit<ByteLimits, 'response'>;
  handlerOf(path: string): ServedHandler | undefined;
}

/** A handler as it is added to a server. */
export interface AddedHandler {
  readonly path: string;
  readonly handle: HandleCall;
  readonly type: HandlerType;
  readonly codec: ServerCodec;
}

/** The handlers of one server, by path, as its calls run them: each failure is a status, and answers are bounded. */
export class ServedHandlers {
  readonly #handlers = new Map<string, ServedHandler>();
  readonly #describe: (path: string) => DescMethod | undefined;
  readonly #unsent: UnsentAnswers;

  constructor(describe: (path: string) => DescMethod | undefined, limits: UnsentLimits) {
    this.#describe = describe;
    this.#unsent = new UnsentAnswers(limits);
  }

  /** @returns the handler to add, which is not called before. */
  prepare({ path, handle, type, codec }: AddedHandler): ServedHandler {
    const settled = settling(this.#bounded(handle, type), type);
    return servedHandler(path, type, settled, codec, this.#describe(path));
  }

  add(served: ServedHandler): void {
    this.#handlers.set(served.path, served);
  }

  remove(path: string): void {
    this.#handlers.delete(path);
  }

  of(path: string): ServedHandler | undefined {
    return this.#handlers.get(path);
  }

  #bounded(handle: HandleCall, type: HandlerType): HandleCall {
    if (type === 'unary') return handle;
    return (call, answer) => {
      if (type !== 'serverStream') readOneAhead(call as Parameters<typeof readOneAhead>[0]);
      if (type !== 'clientStream') boundAnswers(call as AnsweredCall, this.#unsent);
      return handle(call, answer);
    };
  }
}
