import type { Buffer } from 'node:buffer';

/** A text cut out of another keeps that one alive: a kept name may hold so many bytes, not more. */
const WINDOW_BYTES = 4096;
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
    this.#end = Math.min(from + WINDOW_BYTES, this.bytes.length);
    this.#text = this.bytes.toString('latin1', from, this.#end);
    return this.#text.slice(0, to - from);
  }
}
