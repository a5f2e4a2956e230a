import type { DescMethod, Message } from '@bufbuild/protobuf';
import type { Metadata, StatusObject } from '@grpc/grpc-js';

/** How calls reach the server. */
export type TransportKind = 'network' | 'in-process';

/** A call that is to be made, apart from its messages. */
export interface CallHead {
  readonly method: DescMethod;
  /** `/package.Service/Method`. */
  readonly fullName: string;
  /** Made for this call alone: the upstream may add to it. */
  readonly metadata: Metadata;
  /** Milliseconds from now; undefined for no deadline. */
  readonly timeoutMs: number | undefined;
  /**
   * Writes an answer as what the gateway sends: an upstream that has the message of the handler itself
   * may give {@link AnswerListener.onMessage} what this returns in its place. Undefined for a message
   * that only the wire can tell, or that takes up more than `maxBytes` there. Left out where there is
   * more to an answer than its JSON.
   */
  readonly writeAnswer?:
    ((message: Message, maxBytes: number) => WrittenAnswer | undefined) | undefined;
}

/** An answer as the gateway sends it. */
export class WrittenAnswer {
  constructor(readonly json: Uint8Array) {}
}

/** How a call ended. */
export interface CallEnd {
  /** With the trailers as its metadata. */
  readonly status: Pick<StatusObject, 'code' | 'details' | 'metadata'>;
  /**
   * Whether the server made the status. The text of any other one is not for callers: it may
   * contain addresses.
   */
  readonly fromServer: boolean;
}

/** A message, or its bytes as the wire has them. */
export type MessageOrWire = Message | Uint8Array;

/** What an upstream has of an answer. */
export type AnswerContent = MessageOrWire | WrittenAnswer;

/** Takes the answer to a call. */
export interface AnswerListener {
  /** At most once, before the first message. */
  onHeaders(headers: Metadata): void;
  /** Once for each {@link UpstreamCall.read}, as long as there are messages. */
  onMessage(message: AnswerContent): void;
  /** Exactly once, after everything else. */
  onEnd(end: CallEnd): void;
}

/** A call under way. Nothing of it throws; after the end nothing of it does anything. */
export interface UpstreamCall {
  /**
   * Calls back once, when the server has let the call in and asks for its first request; not when
   * the call ends before. Left out where nobody can know, as over a network: the first request is
   * then read while the server decides.
   */
  whenWanted?(run: () => void): void;
  /**
   * Sends a request, which is the call's from then on.
   *
   * @param taken called when the next one may be sent, which must wait until then. Not called once
   * the call has ended.
   * @param textBytes how long the JSON, path and query were that the message was read from. Left out where
   * it has values that were not read from text, or more than the text says.
   */
  send(message: MessageOrWire, taken?: () => void, textBytes?: number): void;
  /** Ends the requests. */
  halfClose(): void;
  /** Asks for one message of the answer. */
  read(): void;
  /** Ends the call as CANCELLED. */
  cancel(): void;
}

/**
 * Where a gateway's calls go: `networkUpstream()` or `inProcessUpstream()`. All four kinds of
 * method are one kind of call here: requests, and answers that are read one by one.
 */
export interface Upstream {
  readonly transport: TransportKind;
  /** Whether requests may be bytes as the wire has them. Default: no, messages alone. */
  readonly takesWire?: boolean;
  /** Makes a call. The listener is not called before this has returned. */
  open(head: CallHead, listener: AnswerListener): UpstreamCall;
  /** Whether there is a connection, or none is needed. Default: there is. */
  isConnected?(): boolean;
  /**
   * Resolves when the server can be reached.
   *
   * @throws Error when it cannot be before the deadline, milliseconds since the epoch.
   */
  waitForReady(deadline: number): Promise<void>;
  /** Closes the connection once the calls in flight have ended. */
  close(): void;
}
