import { fitsWire, tryTransfer } from '@apix/proto/internal';
import { type DescMessage, type DescMethod, type Message, isMessage } from '@bufbuild/protobuf';
import { messageOf } from '@apix/grpc-client/internal';
import { type ServerOptions, status } from '@grpc/grpc-js';
import { typeOfCodec } from '../descriptor/service-definition.js';
import type { ServedHandler } from './served-handler.js';
import type { SentStatus } from './handler-call.js';

type Serialize = (message: never) => Buffer;

/** How a caller writes and reads messages. */
export interface CallersCodec {
  readonly requestSerialize: Serialize;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
  /** The method, of a caller whose messages are those of protobuf-es; otherwise its codec decides. */
  readonly method?: DescMethod;
}

/** Writes an answer in the caller's own form: see `writeAnswer` of a `CallHead`. */
export type WriteAnswer = (message: Message, maxBytes: number) => object | undefined;

/** One kind of message on its way from the side that packs it to the side that opens it. */
interface Leg {
  readonly serialize: Serialize;
  /** Of messages that need no bytes, as both sides know them; undefined: all go through both codecs. */
  readonly type: DescMessage | undefined;
  /** The packing side takes an object in a message's shape for one. */
  readonly takesShapes: boolean;
  readonly maxBytes: number;
}

/**
 * How messages are transferred: packed by the sender, opened by the receiver. A packed message is bytes, a
 * copied message, or the caller's own form of it.
 */
export class MessagePath {
  readonly #client: CallersCodec;
  readonly handler: ServedHandler;
  readonly #request: Leg;
  readonly #response: Leg;
  readonly limits: ByteLimits;

  constructor(client: CallersCodec, handler: ServedHandler, limits: ByteLimits) {
    const { definition: server, desc } = handler;
    const handOver = client.method !== undefined;
    this.#client = client;
    this.handler = handler;
    this.limits = limits;
    this.#request = legOf(
      client.requestSerialize,
      server.requestDeserialize,
      handOver ? desc?.input : undefined,
      limits.request,
    );
    this.#response = legOf(
      server.responseSerialize,
      client.responseDeserialize,
      handOver ? desc?.output : undefined,
      Math.min(limits.sent, limits.response),
    );
  }

  /** Whether it leads to a handler, for a caller that takes answers of so many bytes. */
  leadsTo(handler: ServedHandler, responseBytes: number): boolean {
    return handler === this.handler && responseBytes === this.limits.response;
  }

  /**
   * @param message as bytes where its caller has it so.
   * @param textBytes the length of the text that it was read from, for this call alone.
   */
  packRequest(message: unknown, textBytes?: number): unknown {
    const { method } = this.#client;
    if (method === undefined) return pack(this.#request, message);
    if (message instanceof Uint8Array) return asBuffer(message);
    if (textBytes !== undefined && isAsFromWire(this.#request, message, method.input, textBytes)) {
      return message;
    }
    return pack(this.#request, message);
  }

  openRequest(body: unknown): unknown {
    return Buffer.isBuffer(body) ? this.handler.definition.requestDeserialize(body) : body;
  }

  /** @param write the function that writes answers for the caller, if it does not want messages. */
  packResponse(message: unknown, write?: WriteAnswer): unknown {
    return (write && attempt(this.#response, message, write)) ?? pack(this.#response, message);
  }

  openResponse(body: unknown): unknown {
    return Buffer.isBuffer(body) ? this.#client.responseDeserialize(body) : body;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function legOf(
  serialize: Serialize,
  deserialize: object,
  handedOver: DescMessage | undefined,
  maxBytes: number,
): Leg {
  const packed = typeOfCodec(serialize);
  const isShared = packed !== undefined && packed === typeOfCodec(deserialize);
  const type = handedOver ?? (isShared ? packed : undefined);
  return { serialize, type, takesShapes: packed === type, maxBytes };
}

/** Whether the receiver may have the same message: the wire would not change it. */
// Why: docs/decisions/0201
function isAsFromWire(
  { type, maxBytes }: Leg,
  message: unknown,
  sent: DescMessage,
  textBytes: number,
): boolean {
  if (type !== sent || !isMessage(message, type)) return false;
  try {
    return fitsWire(type, message, textBytes, maxBytes);
  } catch {
    // The codecs report what is missing.
    return false;
  }
}

/** Values that are not exactly messages go through the codecs, which report their faults. */
function pack(leg: Leg, message: unknown): unknown {
  return attempt(leg, message, transfer) ?? leg.serialize(message as never);
}

type Carry = (message: Message, maxBytes: number, type: DescMessage) => object | undefined;

const transfer: Carry = (message, maxBytes, type) => tryTransfer(type, message, maxBytes);

/** undefined for a value that is not exactly a message, or cannot be transferred like this. */
function attempt(
  { type, takesShapes, maxBytes }: Leg,
  message: unknown,
  carry: Carry,
): object | undefined {
  if (type === undefined) return undefined;
  try {
    if (!takesShapes && !isMessage(message, type)) return undefined;
    return carry(messageOf(type, message), maxBytes, type);
  } catch {
    return undefined;
  }
}

/** The largest messages of a call, in bytes on the wire. */
export interface ByteLimits {
  /** Of messages that the server receives. */
  readonly request: number;
  /** Of messages that the server sends. */
  readonly sent: number;
  /** Of messages that the client receives. */
  readonly response: number;
}

/** The default limit of grpc-js. */
const DEFAULT_RECEIVED = 4 * 1024 * 1024;

/** The flag and the length before a message. */
const HEAD_BYTES = 5;

/** The limits of a server, by the options that grpc-js has them in. */
export function serverLimits(options: ServerOptions): Omit<ByteLimits, 'response'> {
  return {
    request: receiveLimit(options['grpc.max_receive_message_length']),
    sent: limitOf(options['grpc.max_send_message_length'] ?? -1),
  };
}

/** A limit of received messages as in grpc-js: -1 for no limit. Default: 4 MiB. */
export function receiveLimit(bytes: number = DEFAULT_RECEIVED): number {
  return limitOf(bytes);
}

function limitOf(bytes: number): number {
  return bytes === -1 ? Infinity : bytes;
}

/** The reason why bytes are not sent, in the words of grpc-js, which counts the head of the message. */
export function tooLargeToSend(body: unknown, maxBytes: number): SentStatus | undefined {
  if (!Buffer.isBuffer(body) || body.length <= maxBytes) return undefined;
  return exhausted(`Sent message larger than max (${body.length + HEAD_BYTES} vs. ${maxBytes})`);
}

/** The reason why bytes are not read, in the words of grpc-js. */
export function tooLargeToRead(body: unknown, maxBytes: number): SentStatus | undefined {
  if (!Buffer.isBuffer(body) || body.length <= maxBytes) return undefined;
  return exhausted(`Received message larger than max (${body.length} vs ${maxBytes})`);
}

function exhausted(details: string): SentStatus {
  return { code: status.RESOURCE_EXHAUSTED, details, metadata: null };
}
