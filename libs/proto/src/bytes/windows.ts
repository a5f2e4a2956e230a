import type { Buffer } from 'node:buffer';

/** A text cut out of another keeps that one alive: a kept name may hold so many bytes, not more. */
const ASCII_WINDOW_BYTES = 4096;
const LONG_TEXT_BYTES = 1024;

/**
 * Cuts ASCII texts out of bytes. One window after the other is made text, as cutting a text is
 * several times faster than decoding bytes for each.
 */
export class AsciiWindow {
  #text = '';
  #start = 0;
  #end = 0;

  constructor(private readonly bytes: Buffer) {}

  /** The bytes `from` to `to`, all of them below 0x80, as text. */
  slice(from: number, to: number): string {
    if (from >= this.#start && to <= this.#end) {
      return this.#text.slice(from - this.#start, to - this.#start);
    }
    if (to - from > LONG_TEXT_BYTES) return this.bytes.toString('latin1', from, to);
    this.#start = from;
    this.#end = Math.min(from + ASCII_WINDOW_BYTES, this.bytes.length);
    this.#text = this.bytes.toString('latin1', from, this.#end);
    return this.#text.slice(0, to - from);
  }
}

/** Bytes that are kept keep a window alive: as many as a small Buffer of Node keeps of its pool. */
const WINDOW_BYTES = 8192;
/** Shorter ones V8 has among its objects, and longer ones are worth memory of their own. */
const SHORT_BYTES = 64;
const LONG_BYTES = 2048;

/**
 * Copies bytes out of others, into memory that the others do not have. One window after the other
 * is copied, as to make memory takes several times as long as to make a view of it.
 */
// Why: docs/decisions/0200
export class ByteWindow {
  #copy: ArrayBufferLike | undefined;
  #start = 0;
  #end = 0;
  /** Whether bytes were cut out that a window is for: one alone is not worth it. */
  #isUsed = false;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    // A slice of a Buffer would share its memory.
    this.#bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** The bytes `from` to `to` as nothing but a Uint8Array. */
  slice(from: number, to: number): Uint8Array {
    const length = to - from;
    if (length <= SHORT_BYTES || length > LONG_BYTES) return this.#bytes.slice(from, to);
    if (!this.#isUsed) {
      this.#isUsed = true;
      return this.#bytes.slice(from, to);
    }
    if (this.#copy === undefined || from < this.#start || to > this.#end) {
      this.#start = from;
      this.#end = Math.min(from + WINDOW_BYTES, this.#bytes.length);
      this.#copy = this.#bytes.slice(from, this.#end).buffer;
    }
    return new Uint8Array(this.#copy, from - this.#start, length);
  }
}
