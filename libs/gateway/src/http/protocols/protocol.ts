import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StatusError } from '@apix/contracts';
import type { DescMethod } from '@bufbuild/protobuf';
import type { Metadata } from '@grpc/grpc-js';
import type { Answers } from '../answer.js';
import type { Compressor } from './coding.js';

/** What a gateway can speak. */
export const PROTOCOLS = ['rest', 'connect', 'grpc-web', 'grpc'] as const;

/** One of the protocols that a gateway can speak. */
export type ProtocolName = (typeof PROTOCOLS)[number];

/** A protocol whose requests name the method in the path. */
export type RpcProtocolName = Exclude<ProtocolName, 'rest'>;

/** A request whose path is that of a method, `/<package.Service>/<Method>`. */
export interface RpcRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: DescMethod;
  /** The query string, without `?`. */
  readonly query: string;
}

/** How messages are written. */
export type CodecName = 'json' | 'proto';

/** How a protocol reads requests. */
export interface RpcProtocol {
  readonly name: RpcProtocolName;
  /** The content types of its requests for a method, for callers that sent another one. */
  mediaTypes(method: DescMethod): readonly string[];
  /**
   * The request in the terms of the protocol; undefined if it is not one of this protocol.
   *
   * @throws HttpRefusal for a request that its protocol cannot answer.
   */
  read(request: RpcRequest, answers: Answers): RpcForm | undefined;
}

/** A request in the terms of its protocol: how the call begins, how messages come and go, how it ends. */
export interface RpcForm {
  readonly codec: CodecName;
  /**
   * How long the caller gives the call, in milliseconds; undefined if it does not say.
   *
   * @throws HttpRefusal for a header that cannot be read.
   */
  timeout(): number | undefined;
  readonly requests: RequestForm;
  readonly answer: RpcAnswer;
}

/** How the messages of a request come. */
export interface RequestForm {
  /** `body`: the body is the message; `frames`: each has a head of five bytes; `text`: the same in base64. */
  readonly framing: 'body' | 'frames' | 'text';
  /** The name of the coding of compressed messages; '' if there is none. */
  readonly coding: string;
  /** The bytes of a message that is not in the body. Default: the body has it. */
  readonly given?: (() => Buffer) | undefined;
}

/** How a call ends. */
export interface RpcOutcome {
  /** Undefined: the call has succeeded. */
  readonly error: StatusError | undefined;
  /** What the server sent before the first message, if anything. */
  readonly headers: Metadata | undefined;
  readonly trailers: Metadata | undefined;
}

/** The response to one request. */
export interface RpcAnswer {
  /** Compresses messages; undefined: they are sent as they are. */
  readonly compressor: Compressor | undefined;
  /** Sends what comes before the messages. */
  begin(headers: Metadata | undefined): void;
  /**
   * Sends a message, after {@link begin}.
   *
   * @returns false if the caller must first read what was written; the response emits `drain` then.
   */
  message(bytes: Uint8Array, isCompressed: boolean): boolean;
  /** Ends the response, which may not have begun. */
  end(outcome: RpcOutcome): void;
}
