import { ConnectionError, HTTP2_ERROR, HEAD_BYTES, MAX_PAYLOAD_BYTES } from './frames.js';

/** A frame that has come; its payload is to be used, or copied, at once. */
export interface Http2Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Splits the data of a socket into frames. At most one of them is kept, in as many bytes as it says that it has. */
export class FrameSplitter {
  readonly #head = Buffer.alloc(HEAD_BYTES);
  /** The frame that began with earlier data, once its head is complete. */
  #frame: Buffer | undefined;
  /** Bytes of it that have come. */
  #filled = 0;

  /**
   * @param take says whether to go on.
   * @throws ConnectionError for a frame above the limit.
   */
  split(data: Buffer, take: (frame: Http2Frame) => boolean): void {
    let at = 0;
    if (this.#filled > 0) {
      at = this.#fill(data, 0);
      const frame = this.#frame;
      if (frame === undefined || this.#filled < frame.length) return;
      this.#frame = undefined;
      this.#filled = 0;
      if (!take(frameAt(frame, 0, frame.length))) return;
    }
    while (data.length - at >= HEAD_BYTES) {
      const end = at + bytesOf(data, at);
      if (end > data.length) break;
      const frame = frameAt(data, at, end);
      at = end;
      if (!take(frame)) return;
    }
    if (at < data.length) this.#fill(data, at);
  }

  /** @returns where the rest of the data begins. */
  #fill(data: Buffer, from: number): number {
    let at = from;
    if (this.#filled < HEAD_BYTES) {
      at += data.copy(this.#head, this.#filled, at);
      this.#filled += at - from;
      if (this.#filled < HEAD_BYTES) return at;
      this.#frame = Buffer.allocUnsafe(bytesOf(this.#head, 0));
      this.#head.copy(this.#frame);
    }
    const copied = data.copy(this.#frame!, this.#filled, at);
    this.#filled += copied;
    return at + copied;
  }
}

/** With its head. */
function bytesOf(bytes: Buffer, at: number): number {
  const length = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  if (length <= MAX_PAYLOAD_BYTES) return HEAD_BYTES + length;
  throw new ConnectionError(HTTP2_ERROR.frameSize, `a frame of ${length} bytes`);
}

function frameAt(bytes: Buffer, at: number, end: number): Http2Frame {
  return {
    type: bytes[at + 3]!,
    flags: bytes[at + 4]!,
    stream: bytes.readUInt32BE(at + 5) & 0x7fffffff,
    payload: bytes.subarray(at + HEAD_BYTES, end),
  };
}
