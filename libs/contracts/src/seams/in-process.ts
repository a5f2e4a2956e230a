/** Offered by grpc; used by the gateway to call a server of the same process without a socket. */
export const IN_PROCESS_SERVER = Symbol.for('apix.InProcessServer');

/**
 * A gRPC server that can be called in the same process. Calls run the same stages and handlers
 * as calls from the network.
 */
export interface InProcessServer {
  readonly [IN_PROCESS_SERVER]: true;
  /** Whether it serves a method, by full name. */
  serves(fullMethodName: string): boolean;
  /**
   * A grpc-js client `Interceptor` that answers calls without touching the channel. `unknown`,
   * because this package does not depend on grpc-js.
   */
  clientInterceptor(options: InProcessClientOptions): unknown;
}

/** Where a call made in this process keeps its caller's context, on the metadata that arrives. */
export const CALLERS_CONTEXT = Symbol.for('apix.CallersContext');

/** The asynchronous context in which a call was made: an `AsyncResource` of Node. */
export interface CallersContext {
  runInAsyncScope<T>(read: () => T): T;
}

/** Where a call made in-process keeps the caller while its server waits for the first request. */
export const WHEN_WANTED = Symbol.for('apix.WhenWanted');

/** Where the options of a call made in-process say what becomes of its answers: see {@link WriteAnswer}. */
export const WRITE_ANSWER = Symbol.for('apix.WriteAnswer');

/**
 * Converts an answer, when it is sent, to what the caller gets instead of it: a caller that only forwards
 * it needs no copy of the message. What is returned must not share memory with the message.
 *
 * @param message of protobuf-es, of the method's output type; its values are as the handler left them.
 * @param maxBytes the maximum size of the message, in bytes as on the wire.
 * @returns undefined, or throws, for a message that must be sent the usual way: one that is larger, or that
 *   the wire format would change or refuse.
 */
export type WriteAnswer = (message: unknown, maxBytes: number) => object | undefined;

/** Where the context of a request sent in-process says where it comes from: see {@link ReadRequest}. */
export const READ_REQUEST = Symbol.for('apix.ReadRequest');

/**
 * A request that was read from a text for this call alone, and that its caller gives away: its values are
 * those that the wire would make of them, unless a required field is not set.
 */
export interface ReadRequest {
  /** Its type, a `DescMessage` of protobuf-es. */
  readonly type: unknown;
  /** How long the text was, in bytes: JSON, path and query. */
  readonly textBytes: number;
}

/** What a caller may state about a message that it sends on a call to an {@link InProcessServer}. */
export interface InProcessMessageContext {
  /** Taken only where `handOver` is set. Default: the message is copied. */
  readonly [READ_REQUEST]?: ReadRequest | undefined;
}

/** What a caller may add to the options of a call to an {@link InProcessServer}. */
export interface InProcessCallOptions {
  /** Called only where `handOver` is set. Default: answers are copied. */
  readonly [WRITE_ANSWER]?: WriteAnswer | undefined;
}

/** A call that `clientInterceptor` of an {@link InProcessServer} has returned, and that was started. */
export interface AdmittedCall {
  /**
   * Calls back once, when every stage has let the call in and its handler asks for the first
   * request; at once where it has asked already. Not at all when the call ends before.
   */
  [WHEN_WANTED](run: () => void): void;
}

/** What a client states about the calls that it makes in-process. */
export interface InProcessClientOptions {
  /** Calls are made for another caller, as a gateway's are. */
  readonly forwarded: boolean;
  /**
   * The client has built its metadata for the call alone and does not touch it again, and its messages
   * are those of protobuf-es on both sides. They are then copied, rather than written and read.
   * Default: false, which copies them only where both sides have one codec.
   */
  readonly handOver?: boolean;
  /**
   * The largest response message, in bytes as on the wire; -1 for no limit, as grpc-js counts. Default:
   * 4 MiB, which is that of grpc-js.
   */
  readonly maxReceiveBytes?: number;
}
