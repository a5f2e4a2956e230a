import { ConnectionError, HTTP2_ERROR, HEAD_BYTES, MAX_PAYLOAD_BYTES } from './frames.js';

/** A frame that has come; its payload is to be used, or copied, at once. */
export interface Http2Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Splits the data of a socket into frames. At most one of them is kept. */
export class FrameSplitter {
  #rest: Buffer | undefined;

  /**
   * @param take says whether to go on.
   * @throws ConnectionError for a frame above the limit.
   */
  split(data: Buffer, take: (frame: Http2Frame) => boolean): void {
    const bytes = this.#rest === undefined ? data : Buffer.concat([this.#rest, data]);
    this.#rest = undefined;
    let at = 0;
    while (bytes.length - at >= HEAD_BYTES) {
      const length = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
      if (length > MAX_PAYLOAD_BYTES) {
        throw new ConnectionError(HTTP2_ERROR.frameSize, `a frame of ${length} bytes`);
      }
      const from = at + HEAD_BYTES;
      if (bytes.length - from < length) break;
      const frame = {
        type: bytes[at + 3]!,
        flags: bytes[at + 4]!,
        stream: bytes.readUInt32BE(at + 5) & 0x7fffffff,
        payload: bytes.subarray(from, from + length),
      };
      at = from + length;
      if (!take(frame)) return;
    }
    if (at < bytes.length) this.#rest = Buffer.from(bytes.subarray(at));
  }
}
