/** The compressed flag and the length (gRPC over HTTP2, Length-Prefixed-Message). */
export const HEAD_BYTES = 5;
/** The buffer reserved for the beginning of a message whose rest has not arrived. */
const FIRST_BYTES = 256;

/**
 * Takes the messages, each with its head, off the DATA frames of a call, as the decoder of grpc-js does.
 * grpc-js keeps each frame of an incomplete message as a separate object: 4 MiB in frames of one byte take
 * up 100 times as much. Here a message takes up at most twice the bytes that have come, whatever length it
 * announces.
 */
export class MessageReader {
  readonly #maxBytes: number;
  #buffer = Buffer.alloc(0);
  #filled = 0;
  /** Of the message that is being read, head included; unknown until its head is there. */
  #total: number | undefined;

  /** @param maxBytes the longest message that is taken; -1 for no limit. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether a message has begun that is not whole. */
  get isWithinMessage(): boolean {
    return this.#filled > 0;
  }

  /** @throws Error for a message that announces more than the limit; it is not read. */
  write(data: Buffer): Buffer[] {
    const messages: Buffer[] = [];
    let at = 0;
    while (at < data.length) {
      const whole = this.#filled === 0 ? this.#wholeAt(data, at) : undefined;
      if (whole === undefined) at = this.#take(data, at);
      else {
        messages.push(whole);
        at += whole.length;
      }
      if (this.#filled === this.#total) messages.push(this.#finish());
    }
    return messages;
  }

  /** The usual case: all of a message in one frame. A copy, as the frame is shared. */
  #wholeAt(data: Buffer, at: number): Buffer | undefined {
    if (data.length - at < HEAD_BYTES) return undefined;
    const end = at + this.#lengthOf(data.readUInt32BE(at + 1));
    return end > data.length ? undefined : Buffer.from(data.subarray(at, end));
  }

  #take(data: Buffer, at: number): number {
    const wanted = (this.#total ?? HEAD_BYTES) - this.#filled;
    const count = Math.min(wanted, data.length - at);
    this.#makeRoom(this.#filled + count);
    data.copy(this.#buffer, this.#filled, at, at + count);
    this.#filled += count;
    if (this.#total === undefined && this.#filled === HEAD_BYTES) {
      this.#total = this.#lengthOf(this.#buffer.readUInt32BE(1));
    }
    return at + count;
  }

  #makeRoom(bytes: number): void {
    if (bytes <= this.#buffer.length) return;
    const doubled = Math.max(bytes, 2 * this.#buffer.length, FIRST_BYTES);
    const next = Buffer.alloc(Math.min(doubled, this.#total ?? doubled));
    this.#buffer.copy(next, 0, 0, this.#filled);
    this.#buffer = next;
  }

  #finish(): Buffer {
    const message = this.#buffer.subarray(0, this.#filled);
    this.#buffer = Buffer.alloc(0);
    this.#filled = 0;
    this.#total = undefined;
    return message;
  }

  #lengthOf(announced: number): number {
    if (this.#maxBytes !== -1 && announced > this.#maxBytes) {
      throw new Error(`Received message larger than max (${announced} vs ${this.#maxBytes})`);
    }
    return HEAD_BYTES + announced;
  }
}
