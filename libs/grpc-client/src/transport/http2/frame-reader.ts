/** A message of gRPC as the wire has it (PROTOCOL-HTTP2.md, Length-Prefixed-Message). */
export interface MessageFrame {
  readonly isCompressed: boolean;
  readonly bytes: Buffer;
}

/** Length of the prefix of a message: a flag, and four bytes of length. */
const PREFIX = 5;

/** The initial buffer of a message of many parts; it grows only with received data. */
const FIRST_BYTES = 64 * 1024;

/** A message that says of itself that it is above the limit. */
export class TooLarge extends Error {}

/**
 * Cuts the data of a stream into messages, which do not keep the received buffers alive. An incomplete
 * message takes at most twice the memory of its received part, or 64 KiB if that is more.
 */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #prefix = Buffer.alloc(PREFIX);
  #prefixBytes = 0;
  /** Of the message that is being read. */
  #length = 0;
  #message: Buffer | undefined;
  #messageBytes = 0;

  /** @param maxBytes of a message as it is sent; -1 for no limit. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Hands over the messages that are complete with this data.
   *
   * @throws TooLarge
   */
  read(data: Buffer, take: (frame: MessageFrame) => void): void {
    let at = 0;
    while (at < data.length) {
      if (this.#prefixBytes < PREFIX) at = this.#readPrefix(data, at);
      if (this.#prefixBytes === PREFIX) at = this.#readMessage(data, at, take);
    }
  }

  #readPrefix(data: Buffer, at: number): number {
    const end = Math.min(data.length, at + PREFIX - this.#prefixBytes);
    data.copy(this.#prefix, this.#prefixBytes, at, end);
    this.#prefixBytes += end - at;
    if (this.#prefixBytes === PREFIX) {
      this.#length = this.#prefix.readUInt32BE(1);
      if (this.#maxBytes !== -1 && this.#length > this.#maxBytes) {
        throw new TooLarge(
          `Received message larger than max (${this.#length} vs ${this.#maxBytes})`,
        );
      }
    }
    return end;
  }

  #readMessage(data: Buffer, at: number, take: (frame: MessageFrame) => void): number {
    const missing = this.#length - this.#messageBytes;
    const end = Math.min(data.length, at + missing);
    const isWhole = end - at === missing;
    if (end > at && (!isWhole || this.#message !== undefined)) this.#add(data, at, end);
    if (isWhole) {
      const bytes = this.#message?.subarray(0, this.#length) ?? Buffer.from(data.subarray(at, end));
      this.#message = undefined;
      this.#messageBytes = 0;
      this.#prefixBytes = 0;
      take({ isCompressed: this.#prefix[0] === 1, bytes });
    }
    return end;
  }

  #add(data: Buffer, at: number, end: number): void {
    const needed = this.#messageBytes + end - at;
    const room = this.#message?.length ?? 0;
    if (needed > room) {
      const size = Math.min(this.#length, Math.max(FIRST_BYTES, needed, room * 2));
      const larger = Buffer.allocUnsafeSlow(size);
      this.#message?.copy(larger, 0, 0, this.#messageBytes);
      this.#message = larger;
    }
    data.copy(this.#message!, this.#messageBytes, at, end);
    this.#messageBytes = needed;
  }
}

/** A message as it is sent. */
export function frameOf(bytes: Uint8Array, isCompressed: boolean): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX + bytes.length);
  frame[0] = isCompressed ? 1 : 0;
  frame.writeUInt32BE(bytes.length, 1);
  frame.set(bytes, PREFIX);
  return frame;
}
