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
