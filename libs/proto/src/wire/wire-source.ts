import { Buffer, isUtf8 } from 'node:buffer';
import { AsciiWindow, ByteWindow } from '../bytes/windows.js';
import { signedOf, unsignedOf } from '../values/long-halves.js';
import { WireProblem, notTag, tooLong, tooShort } from './wire-error.js';

/** Beyond this many bytes the decoder of the platform is faster than a loop that looks at each. */
const LOOKED_AT_BYTES = 48;

/** From this many bytes on a DataView is worth making, which reads floats three times as fast. */
const VIEWED_BYTES = 512;

/** Reads 64 bits into `lower` and `upper`. */
export type LongRead = 'varint64' | 'zigzag64' | 'fixed64';

/**
 * A message on the wire, read from its beginning to its end. Whatever is wrong with the bytes is
 * a WireProblem, and `at` is then where the value begins that is wrong.
 */
export class WireSource {
  at = 0;
  /** The end of what is being read; the reader of a nested message sets it. */
  end: number;
  /** The halves of the 64 bits read last, each as a signed integer. */
  lower = 0;
  upper = 0;
  readonly bytes: Buffer;
  readonly #ascii: AsciiWindow;
  #window: ByteWindow | undefined;
  #view: DataView | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
    this.#ascii = new AsciiWindow(this.bytes);
  }

  /** The number and the wire type of the next field, as `number << 3 | type`, unsigned. */
  tag(): number {
    const { bytes, end } = this;
    let { at } = this;
    let tag = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      if (at >= end) throw tooShort();
      const byte = bytes[at++]!;
      tag |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if ((shift === 28 && byte > 0x0f) || tag >>> 3 === 0 || (tag & 7) > 5) break;
        this.at = at;
        return tag >>> 0;
      }
    }
    throw notTag();
  }

  /** The lower 32 bits of a varint, as an unsigned integer. */
  varint32(): number {
    return this.int32() >>> 0;
  }

  /** The lower 32 bits of a varint, as a signed integer. */
  int32(): number {
    const { bytes, end } = this;
    let { at } = this;
    if (at >= end) throw tooShort();
    let byte = bytes[at++]!;
    if (byte < 0x80) {
      this.at = at;
      return byte;
    }
    let value = byte & 0x7f;
    for (let shift = 7; shift < 70; shift += 7) {
      if (at >= end) throw tooShort();
      byte = bytes[at++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        this.at = at;
        return value;
      }
    }
    throw tooLong();
  }

  /** The lower 32 bits of a varint that alternates between positive and negative. */
  sint32(): number {
    const bits = this.int32();
    return (bits >>> 1) ^ -(bits & 1);
  }

  /** Reads a varint into `lower` and `upper`. */
  varint64(): void {
    const { bytes, end } = this;
    let { at } = this;
    let lower = 0;
    let upper = 0;
    let byte = 0x80;
    for (let shift = 0; shift < 28 && byte > 0x7f; shift += 7) {
      if (at >= end) throw tooShort();
      byte = bytes[at++]!;
      lower |= (byte & 0x7f) << shift;
    }
    if (byte > 0x7f) {
      if (at >= end) throw tooShort();
      byte = bytes[at++]!;
      lower |= byte << 28;
      upper = (byte & 0x7f) >>> 4;
      for (let shift = 3; byte > 0x7f; shift += 7) {
        if (shift > 31) throw tooLong();
        if (at >= end) throw tooShort();
        byte = bytes[at++]!;
        upper |= (byte & 0x7f) << shift;
      }
    }
    this.at = at;
    this.lower = lower;
    this.upper = upper;
  }

  int64(): bigint {
    this.varint64();
    return signedOf(this.lower, this.upper);
  }

  uint64(): bigint {
    this.varint64();
    return unsignedOf(this.lower, this.upper);
  }

  sint64(): bigint {
    this.zigzag64();
    return signedOf(this.lower, this.upper);
  }

  /** Reads a varint that alternates between positive and negative into `lower` and `upper`. */
  zigzag64(): void {
    this.varint64();
    const { lower, upper } = this;
    const sign = -(lower & 1);
    this.lower = ((lower >>> 1) | (upper << 31)) ^ sign;
    this.upper = (upper >>> 1) ^ sign;
  }

  bool(): boolean {
    const byte = this.bytes[this.at]!;
    if (byte < 2 && this.at < this.end) {
      this.at++;
      return byte === 1;
    }
    this.varint64();
    return (this.lower | this.upper) !== 0;
  }

  /** Reads 64 bits, the lowest byte first, into `lower` and `upper`. */
  fixed64(): void {
    if (this.at + 8 > this.end) throw tooShort();
    this.lower = this.sfixed32();
    this.upper = this.sfixed32();
  }

  sfixed64(): bigint {
    this.fixed64();
    return signedOf(this.lower, this.upper);
  }

  ufixed64(): bigint {
    this.fixed64();
    return unsignedOf(this.lower, this.upper);
  }

  /** 32 bits, the lowest byte first, as a signed integer. */
  sfixed32(): number {
    const { bytes, at } = this;
    this.at = this.#after(4);
    return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  }

  /** 32 bits, the lowest byte first, as an unsigned integer. */
  fixed32(): number {
    return this.sfixed32() >>> 0;
  }

  float(): number {
    const { at } = this;
    this.at = this.#after(4);
    if (this.bytes.length < VIEWED_BYTES) return this.bytes.readFloatLE(at);
    return (this.#view ?? this.#makeView()).getFloat32(at, true);
  }

  double(): number {
    const { at } = this;
    this.at = this.#after(8);
    if (this.bytes.length < VIEWED_BYTES) return this.bytes.readDoubleLE(at);
    return (this.#view ?? this.#makeView()).getFloat64(at, true);
  }

  /** Reads a length, and returns the position at which its value ends. */
  lengthEnd(): number {
    const { at, end, bytes } = this;
    if (at < end) {
      const length = bytes[at]!;
      if (length < 0x80 && at + 1 + length <= end) {
        this.at = at + 1;
        return at + 1 + length;
      }
    }
    return this.#longEnd();
  }

  /** Reads a length; what is read next ends where it says. Returns the end to set again after it. */
  enter(): number {
    const outer = this.end;
    this.end = this.lengthEnd();
    return outer;
  }

  /** Bytes with their length before them, in memory that the source does not have. */
  lengthBytes(): Uint8Array {
    const to = this.lengthEnd();
    const { at } = this;
    this.at = to;
    return this.copy(at, to);
  }

  /** The bytes `from` to `to` in memory that the source does not have. */
  copy(from: number, to: number): Uint8Array {
    return (this.#window ??= new ByteWindow(this.bytes)).slice(from, to);
  }

  /**
   * Reads a text with its length.
   *
   * @param strict refuses what is not UTF-8; otherwise it becomes U+FFFD.
   */
  string(strict: boolean): string {
    const to = this.lengthEnd();
    const { bytes, at } = this;
    if (to - at <= LOOKED_AT_BYTES) {
      let seen = 0;
      for (let i = at; i < to; i++) seen |= bytes[i]!;
      if (seen < 0x80) {
        this.at = to;
        return this.#ascii.slice(at, to);
      }
    }
    const text = bytes.toString('utf8', at, to);
    // Only where something was replaced can something have been wrong.
    if (strict && text.includes('\ufffd') && !isUtf8(bytes.subarray(at, to))) {
      throw new WireProblem('not valid UTF-8');
    }
    this.at = to;
    return text;
  }

  /** Passes a given number of bytes. */
  pass(count: number): void {
    this.at = this.#after(count);
  }

  #longEnd(): number {
    const { at } = this;
    this.varint64();
    const { lower, upper } = this;
    const after = this.at + (lower >>> 0);
    if (upper === 0 && after <= this.end) return after;
    this.at = at;
    throw new WireProblem('a length beyond the end of what holds it');
  }

  #makeView(): DataView {
    const { buffer, byteOffset, length } = this.bytes;
    return (this.#view = new DataView(buffer, byteOffset, length));
  }

  #after(count: number): number {
    const after = this.at + count;
    if (after > this.end) throw tooShort();
    return after;
  }
}
