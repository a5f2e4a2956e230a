import { broken } from './frame-checks.js';
import { ConnectionError, HTTP2_ERROR, FLAG, FRAME } from './frames.js';
import type { Http2Frame } from './frame-splitter.js';

/** CONTINUATION frames of one block, as nghttp2 takes them. */
const MAX_CONTINUATIONS = 8;

/** A header block that is complete. */
export interface HeaderBlock {
  readonly stream: number;
  readonly endsStream: boolean;
  readonly bytes: Buffer;
}

/** Puts header blocks together, which nothing may interrupt (RFC 9113, 6.10). */
export class HeaderBlocks {
  #open: { readonly stream: number; readonly endsStream: boolean } | undefined;
  #parts: Buffer[] = [];
  #begun = 0;

  /** The number of the block whose rest is to come, from 1. */
  get awaits(): number | undefined {
    return this.#open === undefined ? undefined : this.#begun;
  }

  /**
   * Takes a frame, if a block is being received or begins with it.
   *
   * @returns the block where it is complete; `none` for a frame of another kind.
   * @throws ConnectionError
   */
  take({ type, flags, stream, payload }: Http2Frame): HeaderBlock | 'incomplete' | 'none' {
    if (this.#open === undefined) {
      if (type === FRAME.continuation) throw broken('a continuation of nothing');
      if (type !== FRAME.headers) return 'none';
      if (stream === 0) throw broken('headers of no stream');
      const bytes = withoutPadding(flags, payload, (flags & FLAG.priority) === 0 ? 0 : 5);
      const endsStream = (flags & FLAG.endStream) !== 0;
      if ((flags & FLAG.endHeaders) !== 0) return { stream, endsStream, bytes };
      this.#open = { stream, endsStream };
      this.#begun += 1;
      this.#parts = [Buffer.from(bytes)];
      return 'incomplete';
    }
    if (type !== FRAME.continuation || stream !== this.#open.stream) {
      throw broken('a header block that is interrupted');
    }
    if (this.#parts.length > MAX_CONTINUATIONS) {
      throw new ConnectionError(HTTP2_ERROR.enhanceYourCalm, 'too many continuations');
    }
    this.#parts.push(Buffer.from(payload));
    if ((flags & FLAG.endHeaders) === 0) return 'incomplete';
    const block = { ...this.#open, bytes: Buffer.concat(this.#parts) };
    this.#open = undefined;
    this.#parts = [];
    return block;
  }
}

/**
 * The content of a frame that may be padded (RFC 9113, 6.1).
 *
 * @param skipped bytes in front of the content.
 * @throws ConnectionError
 */
export function withoutPadding(flags: number, payload: Buffer, skipped: number): Buffer {
  const isPadded = (flags & FLAG.padded) !== 0;
  if (!isPadded && skipped === 0) return payload;
  const from = skipped + (isPadded ? 1 : 0);
  const padding = isPadded ? (payload[0] ?? 0) : 0;
  if (from + padding > payload.length) throw broken('padding that is longer than its frame');
  return payload.subarray(from, payload.length - padding);
}
