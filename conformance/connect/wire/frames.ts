/** A message of a stream, in its envelope of five bytes. */
export interface Frame {
  readonly flags: number;
  readonly data: Buffer;
}

export function envelope(flags: number, data: Uint8Array, length = data.length): Buffer {
  const bytes = Buffer.alloc(5 + data.length);
  bytes[0] = flags;
  bytes.writeUInt32BE(length, 1);
  bytes.set(data, 5);
  return bytes;
}

/** Reads envelopes as they arrive. @throws Error for a body that ends within one. */
export class FrameReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Buffer>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /** The next one, or nothing at the end of the body. */
  async next(): Promise<Frame | undefined> {
    if (!(await this.#has(5))) return this.#ended();
    const length = this.#rest.readUInt32BE(1);
    if (!(await this.#has(5 + length))) return this.#ended();
    const frame = { flags: this.#rest[0]!, data: this.#rest.subarray(5, 5 + length) };
    this.#rest = this.#rest.subarray(5 + length);
    return frame;
  }

  #ended(): undefined {
    if (this.#rest.length > 0) throw new Error('the body ends within a message');
  }

  async #has(size: number): Promise<boolean> {
    while (this.#rest.length < size) {
      const { done, value } = await this.#chunks.next();
      if (done === true) return false;
      this.#rest = Buffer.concat([this.#rest, value]);
    }
    return true;
  }
}
