import { Buffer, isUtf8 } from 'node:buffer';
import { AsciiWindow } from '../bytes/ascii-window.js';

/** Beyond this many bytes the decoder of the platform is faster than a loop that looks at each. */
const LOOKED_AT_BYTES = 64;

/** A message on the wire, read from its beginning to its end. */
export class WireSource {
  at = 0;
  /** Where what is being read ends; the reader of a message inside sets it. */
  end: number;
  /** The halves of the 64 bits read last, each as a signed integer. */
  lower = 0;
  upper = 0;
  readonly bytes: Buffer;
  readonly #ascii: AsciiWindow;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
    this.#ascii = new AsciiWindow(this.bytes);
  }

  /** The lower 32 bits of a varint, as an unsigned integer. */
  varint32(): number {
    const { bytes, end } = this;
    let { at } = this;
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (at >= end) throw new RangeError('premature end of the message');
      const byte = bytes[at++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        this.at = at;
        return value >>> 0;
      }
    }
    throw new Error('a varint of more than ten bytes');
  }

  /** Reads a varint into `lower` and `upper`. */
  varint64(): void {
    const { bytes, end } = this;
    let { at } = this;
    let lower = 0;
    let upper = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (at >= end) throw new RangeError('premature end of the message');
      const byte = bytes[at++]!;
      const bits = byte & 0x7f;
      if (shift < 28) lower |= bits << shift;
      else if (shift === 28) {
        lower |= bits << 28;
        upper = bits >>> 4;
      } else if (shift < 63) upper |= bits << (shift - 32);
      else upper |= bits << 31;
      if (byte < 0x80) {
        this.at = at;
        this.lower = lower;
        this.upper = upper;
        return;
      }
    }
    throw new Error('a varint of more than ten bytes');
  }

  /** Reads 64 bits, the lowest byte first, into `lower` and `upper`. */
  fixed64(): void {
    this.lower = this.fixed32();
    this.upper = this.fixed32();
  }

  /** 32 bits, the lowest byte first, as a signed integer. */
  fixed32(): number {
    const { bytes, at } = this;
    this.at = this.#after(4);
    return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  }

  float(): number {
    const { at } = this;
    this.at = this.#after(4);
    return this.bytes.readFloatLE(at);
  }

  double(): number {
    const { at } = this;
    this.at = this.#after(8);
    return this.bytes.readDoubleLE(at);
  }

  /** Reads a length, and says where what has it ends. */
  lengthEnd(): number {
    const length = this.varint32();
    return this.#after(length);
  }

  /**
   * Reads a text with its length.
   *
   * @param strict refuses what is no UTF-8; otherwise it becomes U+FFFD.
   */
  string(strict: boolean): string {
    const to = this.lengthEnd();
    const { bytes, at } = this;
    this.at = to;
    if (to - at > LOOKED_AT_BYTES) return this.#decoded(at, to, strict);
    let seen = 0;
    for (let i = at; i < to; i++) seen |= bytes[i]!;
    return seen < 0x80 ? this.#ascii.slice(at, to) : this.#decoded(at, to, strict);
  }

  #decoded(from: number, to: number, strict: boolean): string {
    if (strict && !isUtf8(this.bytes.subarray(from, to))) throw new Error('invalid UTF-8');
    return this.bytes.toString('utf8', from, to);
  }

  #after(count: number): number {
    const after = this.at + count;
    if (after > this.end) throw new RangeError('premature end of the message');
    return after;
  }
}
