import {
  type Metadata,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import {
  answerStatus,
  RequestStreamHandlerCall,
  type SentStatus,
  ServerStreamHandlerCall,
  UnaryHandlerCall,
} from './handler-call.js';
import type { ServedHandler } from './served-handler.js';

type Chain = ServerInterceptingCallInterface;
export type HandlerListener = Parameters<Chain['start']>[0];

/**
 * Passes a call to the interceptors and then to its handler, as grpc-js does with a call that comes over a connection.
 *
 * @param refusal with which a call that the interceptors let in is answered in place of the handler.
 */
export function runHandler(
  carrier: Chain,
  interceptors: readonly ServerInterceptor[],
  served: ServedHandler,
  refusal?: SentStatus,
): void {
  const { definition } = served;
  let call = carrier;
  for (const interceptor of interceptors) call = interceptor(definition, call);
  if (refusal !== undefined) call.start(refusing(call, refusal));
  else if (definition.requestStream) call.start(new StreamListener(call, served));
  else call.start(new SingleListener(call, served));
}

function refusing(call: Chain, refusal: SentStatus): HandlerListener {
  return {
    onReceiveMetadata: () => call.sendStatus(refusal),
    onReceiveMessage: ignore,
    onReceiveHalfClose: ignore,
    onCancel: ignore,
  };
}

function ignore(): void {
  // The call is refused.
}

/** The callback of a handler with one response. */
function answerOf(call: Chain): (error: unknown, value?: unknown, trailers?: Metadata) => void {
  return (error, value, trailers) => {
    if (error) {
      call.sendStatus(answerStatus(error, trailers));
      return;
    }
    const ok = { code: status.OK, details: 'OK', metadata: trailers ?? null };
    call.sendMessage(value, () => call.sendStatus(ok));
  };
}

/** Collects the one request and calls the handler once the caller has said that it is all. */
class SingleListener implements HandlerListener {
  readonly #call: Chain;
  readonly #served: ServedHandler;
  #metadata!: Metadata;
  #hasRequest = false;
  #request: unknown;
  #handlerCall: InstanceType<typeof UnaryHandlerCall | typeof ServerStreamHandlerCall> | undefined;

  constructor(call: Chain, served: ServedHandler) {
    this.#call = call;
    this.#served = served;
  }

  onReceiveMetadata(metadata: Metadata): void {
    this.#metadata = metadata;
    this.#call.startRead();
  }

  onReceiveMessage(message: unknown): void {
    if (this.#hasRequest) {
      this.#refuse('the method takes one request message, and got a second one');
      return;
    }
    this.#hasRequest = true;
    this.#request = message;
    this.#call.startRead();
  }

  onReceiveHalfClose(): void {
    if (!this.#hasRequest) {
      this.#refuse('the method takes one request message, and got none');
      return;
    }
    const call = this.#call;
    const { path, type, handle } = this.#served;
    if (type === 'unary') {
      const unary = new UnaryHandlerCall(path, call, this.#metadata, this.#request);
      this.#handlerCall = unary;
      handle(unary, answerOf(call));
    } else {
      const stream = new ServerStreamHandlerCall(path, call, this.#metadata, this.#request);
      this.#handlerCall = stream;
      handle(stream);
    }
  }

  onCancel(): void {
    const call = this.#handlerCall;
    if (call === undefined) return;
    call.cancelled = true;
    call.emit('cancelled', 'cancelled');
    if ('destroy' in call) call.destroy();
  }

  #refuse(details: string): void {
    this.#call.sendStatus({ code: status.UNIMPLEMENTED, details, metadata: null });
  }
}

/** Gives the handler its stream at once and fills it as messages come. */
class StreamListener implements HandlerListener {
  readonly #call: Chain;
  readonly #served: ServedHandler;
  #stream: InstanceType<typeof RequestStreamHandlerCall> | undefined;

  constructor(call: Chain, served: ServedHandler) {
    this.#call = call;
    this.#served = served;
  }

  onReceiveMetadata(metadata: Metadata): void {
    const call = this.#call;
    const { path, type, handle } = this.#served;
    const stream = new RequestStreamHandlerCall(path, call, metadata);
    this.#stream = stream;
    if (type === 'clientStream') handle(stream, answerOf(call));
    else handle(stream);
  }

  onReceiveMessage(message: unknown): void {
    this.#stream!.push(message);
  }

  onReceiveHalfClose(): void {
    this.#stream!.push(null);
  }

  onCancel(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    stream.cancelled = true;
    stream.emit('cancelled', 'cancelled');
    stream.destroy();
  }
}
