import { EventEmitter } from 'node:events';
import { Duplex, Writable } from 'node:stream';
import { Metadata, type ServerInterceptingCallInterface, status } from '@grpc/grpc-js';

type Chain = ServerInterceptingCallInterface;
type Done = (error?: Error | null) => void;

/** The members of every handler's call in addition to its base class, whatever the call's shape. */
class Surface {
  declare readonly path: string;
  declare readonly call: Chain;

  getPeer(): string {
    return this.call.getPeer();
  }

  sendMetadata(metadata: Metadata): void {
    this.call.sendMetadata(metadata);
  }

  getDeadline(): ReturnType<Chain['getDeadline']> {
    return this.call.getDeadline();
  }

  getPath(): string {
    return this.path;
  }

  getHost(): string {
    return this.call.getHost();
  }

  getAuthContext(): ReturnType<Chain['getAuthContext']> {
    return this.call.getAuthContext();
  }

  getMetricsRecorder(): ReturnType<Chain['getMetricsRecorder']> {
    return this.call.getMetricsRecorder();
  }
}

/** Nothing can extend both a stream and Surface, so the methods are put onto the stream's class. */
function withSurface<Args extends unknown[], Call extends object>(
  base: new (...args: Args) => Call,
): new (...args: Args) => Call & Omit<Surface, 'path' | 'call'> {
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(Surface.prototype);
  Object.defineProperties(base.prototype, methods);
  return base as new (...args: Args) => Call & Omit<Surface, 'path' | 'call'>;
}

/** The call of a handler that answers by a callback to one request. */
export const UnaryHandlerCall = withSurface(
  class UnaryHandlerCall extends EventEmitter {
    cancelled = false;

    constructor(
      readonly path: string,
      readonly call: Chain,
      readonly metadata: Metadata,
      readonly request: unknown,
    ) {
      super();
    }
  },
);

/** The end of a stream of responses: with the emitted error, or with success. */
class StreamEnd {
  #failure: SentStatus | undefined;
  trailers: Metadata = new Metadata();

  fail(error: unknown): void {
    this.#failure = answerStatus(error);
  }

  status(): SentStatus {
    const { code, details, metadata } = this.#failure ?? { code: status.OK, details: 'OK' };
    return { code, details: details ?? '', metadata: metadata ?? this.trailers };
  }
}

class ServerStream extends Writable {
  cancelled = false;
  readonly #end = new StreamEnd();

  constructor(
    readonly path: string,
    readonly call: Chain,
    readonly metadata: Metadata,
    readonly request: unknown,
  ) {
    super({ objectMode: true });
    this.on('error', (error) => {
      this.#end.fail(error);
      this.end();
    });
  }

  override _write(message: unknown, _encoding: string, done: Done): void {
    this.call.sendMessage(message, done);
  }

  override _final(done: Done): void {
    done(null);
    this.call.sendStatus(this.#end.status());
  }

  /** @param trailers sent with the status; what a stream would write last is not taken. */
  override end(trailers?: unknown): this {
    if (trailers instanceof Metadata) this.#end.trailers = trailers;
    return super.end();
  }
}

/** The call of a handler that answers one request with a stream. */
export const ServerStreamHandlerCall = withSurface(ServerStream);

class RequestStream extends Duplex {
  cancelled = false;
  readonly #end = new StreamEnd();

  constructor(
    readonly path: string,
    readonly call: Chain,
    readonly metadata: Metadata,
  ) {
    super({ objectMode: true });
    this.on('error', (error) => {
      this.#end.fail(error);
      this.end();
    });
  }

  override _read(): void {
    this.call.startRead();
  }

  override _write(message: unknown, _encoding: string, done: Done): void {
    this.call.sendMessage(message, done);
  }

  override _final(done: Done): void {
    done(null);
    this.call.sendStatus(this.#end.status());
  }

  /** @param trailers sent with the status; what a stream would write last is not taken. */
  override end(trailers?: unknown): this {
    if (trailers instanceof Metadata) this.#end.trailers = trailers;
    return super.end();
  }
}

/** The call of a handler that reads a stream; one with a callback does not write to it. */
export const RequestStreamHandlerCall = withSurface(RequestStream);

/** The status that ends a call on the server's side. */
export type SentStatus = Parameters<ServerInterceptingCallInterface['sendStatus']>[0];

/**
 * The status of a handler's error, by grpc-js' own rule: its integer `code` with its `details`, UNKNOWN
 * with its message otherwise.
 */
export function answerStatus(error: unknown, trailers?: Metadata): SentStatus {
  const { code, details, message, metadata } = error as Partial<SentStatus & Error>;
  const words = typeof message === 'string' ? message : 'Unknown Error';
  const isStatus = typeof code === 'number' && Number.isInteger(code);
  return {
    code: isStatus ? code : status.UNKNOWN,
    details: isStatus && typeof details === 'string' ? details : words,
    metadata: trailers ?? metadata ?? null,
  };
}
