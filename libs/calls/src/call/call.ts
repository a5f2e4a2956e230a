import type { CallPeer, IN_PROCESS_SERVER } from '@apix/contracts';
import { type OptionTable, wholeNumber } from '@apix/contracts/internal';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import type { Metadata, StatusObject } from '@grpc/grpc-js';

/** A message, or its encoded bytes. */
export type MessageOrWire = Message | Uint8Array;

/**
 * A call to make, without its messages. `Written`: the result of {@link writeAnswer} for
 * answers.
 */
export interface CallHead<Written extends object = never> {
  readonly method: DescMethod;
  /** `/package.Service/Method`. */
  readonly path: string;
  /** Made for this call alone: the server may add to it. */
  readonly metadata: Metadata;
  /** When the call must have ended, in milliseconds since the epoch; Infinity for no deadline. */
  readonly deadline: number;
  /**
   * The caller's end of the connection, as the entry point that opens the call has it, with the certificate that it has
   * verified itself: what the stages of a server in this process get as `peer`. Other servers are not told.
   * Default: not known.
   */
  readonly peer?: CallPeer | undefined;
  /**
   * Writes an answer in the form that the caller forwards: a server that has the handler's message
   * itself may pass the result to {@link CallListener.onMessage} instead of the message. Undefined for
   * a message whose result only the wire format can show, or that is larger than `maxBytes` there. Default:
   * answers are messages, or their bytes.
   */
  readonly writeAnswer?: ((message: Message, maxBytes: number) => Written | undefined) | undefined;
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

/** Takes the answer to a call. */
export interface CallListener<Written extends object = never> {
  /** Called at most once, before the first message. */
  onHeaders(headers: Metadata): void;
  /** Called once for each {@link Call.read}, as long as there are messages. */
  onMessage(message: MessageOrWire | Written): void;
  /** Called exactly once, after everything else. */
  onEnd(end: CallEnd): void;
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
export interface Call {
  /**
   * Calls back once, when the server has admitted the call and asks for its first request; not if the call
   * ends before. Omitted where this cannot be known, as over a network.
   */
  whenWanted?(run: () => void): void;
  /**
   * Sends a request, which then belongs to the call. A message that cannot be written ends the call as
   * INTERNAL.
   *
   * @param message as bytes only where the server takes them: see `takesWire` of a transport.
   */
  send(message: MessageOrWire, context?: SendContext): void;
  /** Ends the requests. */
  halfClose(): void;
  /** Asks for one message of the answer. */
  read(): void;
  /** Ends the call as CANCELLED, also for the server. */
  cancel(): void;
}

/** What calls are made to: a server of this process, or the way to one elsewhere. */
// Why: docs/decisions/0160
export interface CallServer {
  /** Makes a call. The listener is not called before this has returned. */
  open<Written extends object = never>(
    head: CallHead<Written>,
    listener: CallListener<Written>,
  ): Call;
}

/** What a caller in the same process states about its calls. */
export interface InProcessSettings {
  /** The largest answer, in bytes as on the wire; -1 for no limit. Default: 4 MiB. */
  readonly maxReceiveBytes?: number | undefined;
}

/** The allowed values of {@link InProcessSettings}. */
export const IN_PROCESS_SETTINGS = {
  maxReceiveBytes: wholeNumber({ min: -1 }),
} satisfies OptionTable<InProcessSettings>;

/**
 * A gRPC server that is called in the same process, without a connection: by the same stages and
 * handlers as from the network. Offered by grpc; used by the gateway, by clients and by entry points
 * of an app's own.
 */
export interface InProcessServer extends CallServer {
  readonly [IN_PROCESS_SERVER]: true;
  /** Whether it serves a method, by full name. */
  serves(fullMethodName: string): boolean;
  /** Messages are copied, not encoded; a server that does not run answers UNAVAILABLE. */
  open<Written extends object = never>(
    head: CallHead<Written>,
    listener: CallListener<Written>,
    settings?: InProcessSettings,
  ): Call;
}
