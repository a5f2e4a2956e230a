import type { ReadRequest, WriteAnswer } from '@apix/contracts';
import { fitsWire, tryTransfer } from '@apix/proto/core';
import { type DescMessage, type Message, isMessage } from '@bufbuild/protobuf';
import type { InterceptorOptions } from '@grpc/grpc-js';
import { messageOf } from '../descriptor/message-of.js';
import { typeOfCodec } from '../descriptor/service-definition.js';
import type { ByteLimits } from './byte-limits.js';
import type { ServedHandler } from './served-handler.js';

type Serialize = (message: never) => Buffer;
type ClientDefinition = InterceptorOptions['method_definition'];

export interface MessagePathOptions {
  /** The client's messages are of protobuf-es, whatever its codecs say. */
  readonly handOver: boolean;
  readonly limits: ByteLimits;
}

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
  readonly #client: ClientDefinition;
  readonly #server: ServedHandler['definition'];
  readonly #request: Leg;
  readonly #response: Leg;
  readonly limits: ByteLimits;

  constructor(
    client: ClientDefinition,
    { definition: server, desc }: ServedHandler,
    { handOver, limits }: MessagePathOptions,
  ) {
    this.#client = client;
    this.#server = server;
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

  isOf(client: ClientDefinition): boolean {
    return client === this.#client;
  }

  /** @param read the source of the message, if it was read only for this call. */
  packRequest(message: unknown, read?: ReadRequest): unknown {
    return read !== undefined && isAsFromWire(this.#request, message, read)
      ? message
      : pack(this.#request, message);
  }

  openRequest(body: unknown): unknown {
    return Buffer.isBuffer(body) ? this.#server.requestDeserialize(body) : body;
  }

  /** @param write the function that writes answers for the caller, if it does not want messages. */
  packResponse(message: unknown, write?: WriteAnswer): unknown {
    return (write && written(this.#response, message, write)) ?? pack(this.#response, message);
  }

  openResponse(body: unknown): unknown {
    return Buffer.isBuffer(body) ? this.#client.responseDeserialize(body) : body;
  }
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
function isAsFromWire({ type, maxBytes }: Leg, message: unknown, read: ReadRequest): boolean {
  if (type === undefined || read.type !== type || !isMessage(message, type)) return false;
  try {
    return fitsWire(type, message, read.textBytes, maxBytes);
  } catch {
    // The codecs report what is missing.
    return false;
  }
}

/** Values that are not exactly messages go through the codecs, which report their faults. */
function pack(leg: Leg, message: unknown): unknown {
  const transferred = attempt(leg, message, tryTransfer);
  return transferred ?? leg.serialize(message as never);
}

function written(leg: Leg, message: unknown, write: WriteAnswer): unknown {
  return attempt(leg, message, (_, found, maxBytes) => write(found, maxBytes));
}

type Carry = (type: DescMessage, message: Message, maxBytes: number) => object | undefined;

/** undefined for a value that is not exactly a message, or cannot be transferred like this. */
function attempt(
  { type, takesShapes, maxBytes }: Leg,
  message: unknown,
  carry: Carry,
): object | undefined {
  if (type === undefined) return undefined;
  try {
    if (!takesShapes && !isMessage(message, type)) return undefined;
    return carry(type, messageOf(type, message), maxBytes);
  } catch {
    return undefined;
  }
}
