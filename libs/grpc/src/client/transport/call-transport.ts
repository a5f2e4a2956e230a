import type { DescMethod, Message } from '@bufbuild/protobuf';
import type { Metadata, StatusObject } from '@grpc/grpc-js';

/** A message, or its encoded bytes. */
export type MessageOrWire = Message | Uint8Array;

/**
 * A call to make, without its messages. `Written`: the result of {@link writeAnswer} for
 * answers.
 */
export interface TransportHead<Written extends object = never> {
  readonly method: DescMethod;
  /** `/package.Service/Method`. */
  readonly path: string;
  /** Made for this call alone: the transport may add to it. */
  readonly metadata: Metadata;
  /** When the call must have ended, in milliseconds since the epoch; Infinity for no deadline. */
  readonly deadline: number;
  /**
   * Writes an answer in the form that the caller forwards: a transport that has the handler's message
   * itself may pass the result to {@link TransportListener.onMessage} instead of the message. Undefined for
   * a message whose result only the wire format can show, or that is larger than `maxBytes` there. Default:
   * answers are messages, or their bytes.
   */
  readonly writeAnswer?: ((message: Message, maxBytes: number) => Written | undefined) | undefined;
}

/** How a call ended. */
export interface TransportEnd {
  /** With the trailers as its metadata. */
  readonly status: Pick<StatusObject, 'code' | 'details' | 'metadata'>;
  /**
   * Whether the server made the status. The text of any other one is not for callers: it may
   * contain addresses.
   */
  readonly fromServer: boolean;
}

/** Takes the answer to a call. */
export interface TransportListener<Written extends object = never> {
  /** Called at most once, before the first message. */
  onHeaders(headers: Metadata): void;
  /** Called once for each {@link TransportCall.read}, as long as there are messages. */
  onMessage(message: MessageOrWire | Written): void;
  /** Called exactly once, after everything else. */
  onEnd(end: TransportEnd): void;
}

/** The options of a request. */
export interface SendContext {
  /**
   * Called when the next one may be sent, which must wait until then. Not called once the call has ended.
   * Default: nothing waits.
   */
  readonly taken?: (() => void) | undefined;
  /** Whether it stays uncompressed where requests are compressed. Default: false. */
  readonly asIs?: boolean | undefined;
  /**
   * How long the text was that the message was read from for this call alone, such as JSON. Default: it has
   * values that were not read from text, or more than the text says.
   */
  readonly textBytes?: number | undefined;
}

/** A call in progress. Its methods never throw; after the end they do nothing. */
export interface TransportCall {
  /**
   * Calls back once, when the server has admitted the call and asks for its first request; not if the call
   * ends before. Omitted where this cannot be known, as over a network.
   */
  whenWanted?(run: () => void): void;
  /**
   * Sends a request, which then belongs to the call. A message that cannot be written ends the call as
   * INTERNAL.
   *
   * @param message as bytes only where the transport {@link CallTransport.takesWire}.
   */
  send(message: MessageOrWire, context?: SendContext): void;
  /** Ends the requests. */
  halfClose(): void;
  /** Asks for one message of the answer. */
  read(): void;
  /** Ends the call as CANCELLED, also for the server. */
  cancel(): void;
}

/** Whether calls get through: see {@link CallTransport.state}. */
export type ChannelState = 'idle' | 'connecting' | 'ready' | 'failing' | 'closed';

/**
 * How calls get to a server: over a network, or to a server of this process. All four kinds of
 * method are one kind of call here: requests, and answers that are read one by one.
 */
// Why: docs/decisions/0160
export interface CallTransport {
  /** The target of the calls, for messages and metrics: the endpoint, or `in-process`. */
  readonly target: string;
  /** The implementation that carries the calls over a network. Default: none, in-process. */
  readonly stack?: 'http2' | 'grpc-js' | undefined;
  /** Whether requests may be encoded bytes. Default: no, only messages. */
  readonly takesWire?: boolean;
  /** Whether messages cannot be read or changed on the way: TLS, or in-process. */
  readonly isSecure: boolean;
  /**
   * `idle`: not connected, because no call has needed a connection since the start, or since the last one was
   * closed; `failing`: the last attempt has failed.
   */
  readonly state: ChannelState;
  /** Makes a call. The listener is not called before this has returned. */
  open<Written extends object = never>(
    head: TransportHead<Written>,
    listener: TransportListener<Written>,
  ): TransportCall;
  /**
   * Connects, and resolves when calls get through.
   *
   * @throws Error when they do not before the deadline, milliseconds since the epoch, or when the transport is
   * closed.
   */
  waitForReady(deadline: number): Promise<void>;
  /**
   * Reads certificates again. Default: there are none.
   *
   * @throws GrpcSetupError if they are invalid; the existing ones then remain in use.
   */
  reload?(): void;
  /**
   * Takes no further calls, which end as UNAVAILABLE, as do those that wait for a connection; connections are closed
   * once the calls under way have ended.
   */
  close(): void;
}
