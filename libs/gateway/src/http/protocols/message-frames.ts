import { Code } from '@apix/contracts';
import { badRequest, refusal } from '../../errors.js';
import type { MessageFraming, FramingReader, RpcFrame } from './protocol.js';

/** Flags and length before a message. */
const FRAME_HEAD_BYTES = 5;

/** The flag of a compressed message. */
export const COMPRESSED = 0b1;

/** The least that is allocated for a message that comes in pieces. */
const FIRST_BYTES = 4_096;

/** Messages after heads of five bytes (gRPC over HTTP/2, "Length-Prefixed-Message"). */
export class RpcFrameReader implements FramingReader {
  readonly #head = Buffer.alloc(FRAME_HEAD_BYTES);
  readonly #maxBytes: number;
  #headBytes = 0;
  /** What is there of a message; as long as its bytes need, not as its head says. */
  #body = Buffer.alloc(0);
  #bodyBytes = 0;

  /** @param maxBytes the largest message. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Reads what has come.
   *
   * @throws HttpRefusal for a message that is too long, or has flags that a request has not.
   */
  *read(chunk: Buffer): Iterable<RpcFrame> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#headBytes < FRAME_HEAD_BYTES) {
        const taken = chunk.copy(this.#head, this.#headBytes, at);
        this.#headBytes += taken;
        at += taken;
        if (this.#headBytes < FRAME_HEAD_BYTES) return;
        this.#checkHead();
      }
      const length = this.#length - this.#bodyBytes;
      const part = chunk.subarray(at, at + length);
      at += part.length;
      if (part.length < length) {
        this.#keep(part);
        return;
      }
      yield this.#complete(part);
    }
  }

  /** @throws HttpRefusal if a message is not complete. */
  end(): void {
    if (this.#headBytes > 0) throw badRequest('request body: ends within a message');
  }

  get heldBytes(): number {
    return this.#headBytes + this.#bodyBytes;
  }

  get #length(): number {
    return this.#head.readUInt32BE(1);
  }

  #checkHead(): void {
    const flags = this.#head[0] ?? 0;
    if (flags > COMPRESSED) {
      throw badRequest(
        `request body: a message has the flags ${flags}, which requests do not have`,
      );
    }
    if (this.#length > this.#maxBytes) {
      throw refusal(Code.RESOURCE_EXHAUSTED, `request message: more than ${this.#maxBytes} bytes`);
    }
  }

  #keep(part: Buffer): void {
    const wanted = this.#bodyBytes + part.length;
    if (wanted > this.#body.length) {
      const room = Math.min(this.#length, Math.max(FIRST_BYTES, 2 * wanted));
      const body = Buffer.allocUnsafe(room);
      this.#body.copy(body, 0, 0, this.#bodyBytes);
      this.#body = body;
    }
    part.copy(this.#body, this.#bodyBytes);
    this.#bodyBytes = wanted;
  }

  #complete(rest: Buffer): RpcFrame {
    let bytes = rest;
    if (this.#bodyBytes > 0) {
      this.#keep(rest);
      bytes = this.#body.subarray(0, this.#bodyBytes);
    }
    const isCompressed = this.#head[0] === COMPRESSED;
    this.#headBytes = 0;
    this.#body = Buffer.alloc(0);
    this.#bodyBytes = 0;
    return { isCompressed, bytes };
  }
}

/** Messages after heads of five bytes. */
export const FRAMES: MessageFraming = {
  bodyBytes: (maxBytes) => maxBytes + FRAME_HEAD_BYTES,
  reader: (maxBytes) => new RpcFrameReader(maxBytes),
};

/** Bytes after their head. */
export function framed(flags: number, bytes: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + bytes.length);
  frame[0] = flags;
  frame.writeUInt32BE(bytes.length, 1);
  frame.set(bytes, FRAME_HEAD_BYTES);
  return frame;
}
