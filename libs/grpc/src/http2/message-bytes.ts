/** The compressed flag and the length (gRPC over HTTP2, Length-Prefixed-Message). */
export const MESSAGE_HEAD_BYTES = 5;

/** The buffer reserved for the beginning of a message whose rest has not arrived. */
const FIRST_BYTES = 256;

const NOTHING = Buffer.alloc(0);

/** A message that announces more than the limit. */
export class RequestTooLarge extends Error {}

/**
 * The data of one call that was received and is not read yet. It takes up at most twice the bytes that have
 * come, whatever length a message announces, and a message that is read at once is not copied.
 */
export class MessageBytes {
  readonly #maxBytes: number;
  #bytes: Buffer = NOTHING;
  #from = 0;
  #end = 0;
  /** The bytes belong to the connection, and are copied by {@link keep}. */
  #isBorrowed = false;

  /** @param maxBytes the longest message that is taken. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds data, which may only be used until {@link keep}. */
  add(data: Buffer): void {
    if (this.#from === this.#end) {
      this.#bytes = data;
      this.#from = 0;
      this.#end = data.length;
      this.#isBorrowed = true;
      return;
    }
    this.#makeRoom(data.length);
    data.copy(this.#bytes, this.#end);
    this.#end += data.length;
  }

  /** Copies what is left of data that was added. */
  keep(): void {
    if (this.#from === this.#end) {
      this.#bytes = NOTHING;
      this.#from = this.#end = 0;
    } else if (this.#isBorrowed) this.#moveTo(this.#end - this.#from);
    this.#isBorrowed = false;
  }

  /**
   * Takes the next message off, with its head: to be used, or copied, at once. Undefined where it is not whole.
   *
   * @throws RequestTooLarge for a message beyond the limit, as soon as its head has come.
   */
  next(): Buffer | undefined {
    const length = this.#lengthAt(this.#from);
    if (length === undefined) return undefined;
    const end = this.#from + length;
    if (end > this.#end) return undefined;
    const message = this.#bytes.subarray(this.#from, end);
    this.#from = end;
    return message;
  }

  /** @throws RequestTooLarge where the next message is beyond the limit. */
  assertNext(): void {
    this.#lengthAt(this.#from);
  }

  /** Bytes of the next message that are yet to come; 0 where its length is not known. */
  get missing(): number {
    const length = this.#lengthAt(this.#from);
    return length === undefined ? 0 : Math.max(0, length - (this.#end - this.#from));
  }

  /** Whether it consists of whole messages. @throws RequestTooLarge */
  get isWhole(): boolean {
    let at = this.#from;
    while (at < this.#end) {
      const length = this.#lengthAt(at);
      if (length === undefined) return false;
      at += length;
    }
    return at === this.#end;
  }

  clear(): void {
    this.#bytes = NOTHING;
    this.#from = this.#end = 0;
  }

  /** Of a message with its head; undefined where that has not come. */
  #lengthAt(at: number): number | undefined {
    if (this.#end - at < MESSAGE_HEAD_BYTES) return undefined;
    const announced = this.#bytes.readUInt32BE(at + 1);
    if (announced > this.#maxBytes) {
      throw new RequestTooLarge(
        `Received message larger than max (${announced} vs ${this.#maxBytes})`,
      );
    }
    return MESSAGE_HEAD_BYTES + announced;
  }

  #makeRoom(count: number): void {
    const needed = this.#end - this.#from + count;
    if (!this.#isBorrowed && this.#end + count <= this.#bytes.length) return;
    if (!this.#isBorrowed && needed * 2 <= this.#bytes.length) {
      this.#bytes.copyWithin(0, this.#from, this.#end);
      this.#end -= this.#from;
      this.#from = 0;
      return;
    }
    const doubled = Math.max(needed, 2 * (this.#end - this.#from), FIRST_BYTES);
    const next = this.#lengthAt(this.#from) ?? doubled;
    this.#moveTo(Math.max(needed, Math.min(doubled, next)));
    this.#isBorrowed = false;
  }

  #moveTo(capacity: number): void {
    const own = Buffer.allocUnsafeSlow(capacity);
    this.#bytes.copy(own, 0, this.#from, this.#end);
    this.#end -= this.#from;
    this.#from = 0;
    this.#bytes = own;
  }
}
