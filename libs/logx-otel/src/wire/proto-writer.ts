const CHUNK_BYTES = 64 * 1024;
/** Size of the chunk for {@link preparedBytes}. */
const SMALL_BYTES = 256;
/** Up to these lengths a loop is faster than a native call. */
const LOOP_BYTES = 24;
const LOOP_CHARS = 48;
const MAX_BYTES_PER_CHAR = 3;
/** For longer texts the exact length is computed, because reserving the maximum would waste much space. */
const COUNTED_CHARS = 1_000;
const TWO_32 = 2 ** 32;

/** An encoded message: a range of a chunk, which may contain other messages; the bytes do not change. */
export interface WrittenBytes {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Writes protobuf messages one after the other into chunks. A chunk is never reused; it is garbage
 * collected with the last of its messages.
 */
export class ProtoWriter {
  #bytes: Buffer;
  /** The start of the message that is being written. */
  #start = 0;
  #end = 0;

  constructor(private readonly chunkBytes = CHUNK_BYTES) {
    this.#bytes = Buffer.allocUnsafeSlow(chunkBytes);
  }

  /** Starts a message; discards a message that was started and not taken. */
  begin(): void {
    this.#end = this.#start;
  }

  /** Ends the message and returns it. */
  take(): WrittenBytes {
    const written = { bytes: this.#bytes, start: this.#start, end: this.#end };
    this.#start = this.#end;
    return written;
  }

  add(bytes: Uint8Array): void {
    const { length } = bytes;
    const at = this.#placeFor(length);
    const chunk = this.#bytes;
    if (length > LOOP_BYTES) chunk.set(bytes, at);
    else for (let i = 0; i < length; i++) chunk[at + i] = bytes[i]!;
    this.#end = at + length;
  }

  addByte(byte: number): void {
    const at = this.#placeFor(1);
    this.#bytes[at] = byte;
    this.#end = at + 1;
  }

  /** Adds a length or a small number: an integer from 0 to less than 2^32. */
  addVarint(value: number): void {
    const at = this.#placeFor(varintLength(value));
    this.#end = putVarint(this.#bytes, at, value);
  }

  /** Adds an int64: an integer from -2^63 to less than 2^63. */
  addInt64(value: number): void {
    let low = value >>> 0;
    let high = Math.floor(value / TWO_32) >>> 0;
    while (high > 0) {
      this.addByte((low & 127) | 128);
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    this.addVarint(low);
  }

  addDouble(value: number): void {
    this.#end = this.#bytes.writeDoubleLE(value, this.#placeFor(8));
  }

  addFixed32(value: number): void {
    this.#end = this.#bytes.writeUInt32LE(value >>> 0, this.#placeFor(4));
  }

  /** Adds the bytes that pairs of hexadecimal digits represent. */
  addHex(digits: string): void {
    const length = digits.length >> 1;
    const at = this.#placeFor(length);
    for (let i = 0; i < length; i++) {
      this.#bytes[at + i] =
        (digitOf(digits.charCodeAt(2 * i)) << 4) | digitOf(digits.charCodeAt(2 * i + 1));
    }
    this.#end = at + length;
  }

  /** Adds a string with its length before it; lone surrogates become U+FFFD. */
  addText(text: string): void {
    const { length } = text;
    const begun = this.open(length);
    if (length > LOOP_CHARS) this.#addLong(text);
    else {
      const at = this.#placeFor(length);
      const chunk = this.#bytes;
      let i = 0;
      for (; i < length; i++) {
        const code = text.charCodeAt(i);
        if (code > 127) break;
        chunk[at + i] = code;
      }
      if (i === length) this.#end = at + length;
      else this.#addLong(text);
    }
    this.close(begun, length);
  }

  /**
   * Reserves space for the length of the bytes that follow, up to {@link close}.
   *
   * @param expected their probable length; if the actual length takes more or fewer bytes, they are moved.
   * @returns the argument for `close`, with the same `expected`.
   */
  open(expected: number): number {
    const reserved = varintLength(expected);
    const at = this.#placeFor(reserved);
    this.#end = at + reserved;
    return this.#end - this.#start;
  }

  close(begun: number, expected: number): void {
    const reserved = varintLength(expected);
    const length = this.#end - this.#start - begun;
    const needed = varintLength(length);
    if (needed !== reserved) {
      this.#placeFor(Math.max(0, needed - reserved));
      const from = this.#start + begun;
      this.#bytes.copyWithin(from + needed - reserved, from, this.#end);
      this.#end += needed - reserved;
    }
    putVarint(this.#bytes, this.#start + begun - reserved, length);
  }

  #addLong(text: string): void {
    const { length } = text;
    const most = length > COUNTED_CHARS ? Buffer.byteLength(text) : length * MAX_BYTES_PER_CHAR;
    const at = this.#placeFor(most);
    this.#end = at + this.#bytes.write(text, at);
  }

  /** Makes room for that many bytes after the message so far; returns their position. */
  #placeFor(length: number): number {
    if (this.#end + length > this.#bytes.length) this.#moveOn(length);
    return this.#end;
  }

  /** Moves the current message to a new chunk; earlier messages stay in the old one. */
  #moveOn(length: number): void {
    const begun = this.#end - this.#start;
    const chunk = Buffer.allocUnsafeSlow(Math.max(this.chunkBytes, 2 * (begun + length)));
    this.#bytes.copy(chunk, 0, this.#start, this.#end);
    this.#bytes = chunk;
    this.#start = 0;
    this.#end = begun;
  }
}

/** The number of bytes of a varint, for an integer from 0 to less than 2^32. */
export function varintLength(value: number): number {
  if (value < 2 ** 7) return 1;
  if (value < 2 ** 14) return 2;
  if (value < 2 ** 21) return 3;
  return value < 2 ** 28 ? 4 : 5;
}

/** @returns the position after it. */
function putVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let end = at;
  for (; rest > 127; rest >>>= 7) bytes[end++] = (rest & 127) | 128;
  bytes[end++] = rest;
  return end;
}

/** The value of a hexadecimal digit: `0` to `9`, `a` to `f`, `A` to `F`. */
function digitOf(code: number): number {
  return code < 58 ? code - 48 : (code & 7) + 9;
}

/** The output of `write` as separate bytes, for use in many messages. */
export function preparedBytes(write: (writer: ProtoWriter) => void): Uint8Array {
  const writer = new ProtoWriter(SMALL_BYTES);
  write(writer);
  const { bytes, end } = writer.take();
  return new Uint8Array(bytes.subarray(0, end));
}
