import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StatusDetail, StatusError } from '@apix/contracts';
import type { DescMethod } from '@bufbuild/protobuf';
import type { Metadata } from '@grpc/grpc-js';
import type { Compressor } from './coding.js';

/** What a gateway can speak by itself. */
export const PROTOCOLS = ['rest', 'connect', 'grpc-web', 'grpc'] as const;

/** One of the protocols that a gateway can speak by itself. */
export type ProtocolName = (typeof PROTOCOLS)[number];

/** The protocols of a gateway. */
export interface ServedProtocols {
  /** Of all of them. */
  readonly names: ReadonlySet<string>;
  /** Those that are the app's own. */
  readonly own: readonly GatewayProtocol[];
}

/** A request whose path is that of a method, `/<package.Service>/<Method>`. */
// A class and no literal: docs/decisions/0522
export class RpcRequest {
  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    readonly method: DescMethod,
    /** The query string, without `?`. */
    readonly query: string,
  ) {}
}

/** How messages are written. */
export type CodecName = 'json' | 'proto';

/** What a protocol gets to know of its gateway. */
export interface RpcContext {
  readonly options: {
    /** Whether answers are compressed, for callers who accept it. */
    readonly compress: boolean;
    /** The `WWW-Authenticate` of a 401. */
    readonly challenge: string;
    /** Headers of requests that are metadata under their own name. */
    readonly forwardHeaders: ReadonlySet<string>;
    /** Metadata of the server that is sent although its name is one of HTTP. */
    readonly responseHeaders: ReadonlySet<string>;
  };
  /** A packed message as JSON for people; undefined for a type that the descriptors do not know. */
  detailValue(detail: StatusDetail): Readonly<Record<string, unknown>> | undefined;
}

/**
 * How a protocol reads requests whose path is that of a method, and writes answers. It decides nothing: who may call,
 * what is logged, and how large a message may be, is up to the call, for every protocol alike.
 */
// Why: docs/decisions/0521
export interface GatewayProtocol {
  /** In options, logs and spans. */
  readonly name: string;
  /** The HTTP methods of its requests for a method. Default: POST. */
  httpMethods?(method: DescMethod): readonly string[];
  /** The content types of its requests for a method, for callers that sent another one. */
  mediaTypes(method: DescMethod): readonly string[];
  /**
   * The request in the terms of the protocol, by its headers alone; undefined if it is not one of this protocol.
   *
   * @throws an error with a status for a request that its protocol cannot answer.
   */
  read(request: RpcRequest, context: RpcContext): RpcForm | undefined;
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
  /** How messages follow one another; `body`: the body is the only message. */
  readonly framing: 'body' | MessageFraming;
  /** The name of the coding of compressed messages. Default: there are none. */
  readonly coding?: string | undefined;
  /** The bytes of a message that is not in the body. Default: the body has it. */
  readonly given?: (() => Buffer) | undefined;
}

/** How messages follow one another in a body. */
export interface MessageFraming {
  /** How long a body may be that has one message of so many bytes. */
  bodyBytes(maxBytes: number): number;
  /** Reads the body of one request, whose messages may have so many bytes. */
  reader(maxBytes: number): FramingReader;
}

/** Finds messages in a body that comes in pieces. */
export interface FramingReader {
  /** Bytes of a message that is not complete. */
  readonly heldBytes: number;
  /**
   * The messages that are complete with this piece.
   *
   * @throws an error with a status for bytes that are not of the protocol, or a message that is too long.
   */
  read(chunk: Buffer): Iterable<RpcFrame>;
  /** The body is complete. @throws an error with a status if a message is not. */
  end(): void;
}

/** A message as it came, perhaps compressed. */
export interface RpcFrame {
  readonly isCompressed: boolean;
  readonly bytes: Buffer;
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
  /** Compresses messages. Default: they are sent as they are. */
  readonly compressor?: Compressor | undefined;
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
