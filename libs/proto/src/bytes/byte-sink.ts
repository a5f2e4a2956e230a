import { Buffer } from 'node:buffer';

const START_BYTES = 4096;
/** The capacity that is kept for the next document; more than that is released. */
const KEPT_BYTES = 256 * 1024;

/** Bytes that grow at their end. A writer reserves room first, then writes at `at`. */
export class ByteSink {
  bytes: Buffer = Buffer.allocUnsafeSlow(START_BYTES);
  /** The same bytes, for those who write several at a time. */
  view = viewOf(this.bytes);
  at = 0;

  /** Makes room for `count` more bytes; `bytes` may be another buffer afterwards. */
  reserve(count: number): void {
    if (this.at + count > this.bytes.length) this.#grow(this.at + count);
  }

  /** Appends bytes as they are. */
  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** Appends an unsigned integer of 32 bits as a varint; a negative one counts as its 32 bits. */
  varint32(value: number): void {
    this.reserve(5);
    const { bytes } = this;
    let { at } = this;
    let rest = value >>> 0;
    while (rest > 0x7f) {
      bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    this.at = at;
  }

  /** Appends a signed integer of 32 bits as a varint: a negative one takes ten bytes. */
  int32(value: number): void {
    if (value >= 0) this.varint32(value);
    else this.varint64(value | 0, -1);
  }

  /** Appends the lower and the upper half of 64 bits as a varint. */
  varint64(lower: number, upper: number): void {
    this.reserve(10);
    const { bytes } = this;
    let { at } = this;
    let low = lower >>> 0;
    let high = upper >>> 0;
    while (high !== 0 || low > 0x7f) {
      bytes[at++] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    bytes[at++] = low;
    this.at = at;
  }

  /** Appends 32 bits, the lowest byte first. */
  fixed32(value: number): void {
    this.reserve(4);
    const { bytes, at } = this;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
    this.at = at + 4;
  }

  float(value: number): void {
    this.reserve(4);
    this.at = this.bytes.writeFloatLE(value, this.at);
  }

  double(value: number): void {
    this.reserve(8);
    this.at = this.bytes.writeDoubleLE(value, this.at);
  }

  /** A copy of what was written, not shared with anything. */
  finish(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.at));
  }

  /** Empties the sink for the next document. */
  reset(): void {
    this.at = 0;
    if (this.bytes.length > KEPT_BYTES) this.#replace(Buffer.allocUnsafeSlow(START_BYTES));
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.at));
    this.#replace(larger);
  }

  #replace(bytes: Buffer): void {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

let idle: ByteSink | undefined;

/**
 * The bytes that `write` appends. Its sink is used again for the next document, but not while it
 * is in use: a getter of a message may well write another one.
 */
export function bytesOf(write: (sink: ByteSink) => void): Buffer {
  const sink = idle ?? new ByteSink();
  idle = undefined;
  try {
    write(sink);
    return sink.finish();
  } finally {
    sink.reset();
    idle = sink;
  }
}

/**
 * The length before what is written next. Room is left for as many bytes as the last length of its kind
 * took; if that was wrong, the bytes written since are moved.
 */
export class LengthPrefix {
  /** Bytes that the last length took. */
  #width = 1;

  /** Leaves room for the length, and says where it begins. */
  open(sink: ByteSink): number {
    const width = this.#width;
    const start = sink.at;
    sink.reserve(width);
    // For its end: messages of its kind inside this one may have taken another width by then.
    sink.bytes[start] = width;
    sink.at = start + width;
    return start;
  }

  /** Whether nothing was written since the length began at `start`. */
  isEmpty(sink: ByteSink, start: number): boolean {
    return sink.at === start + sink.bytes[start]!;
  }

  /** Writes the length that begins at `start`, of what was written since. */
  close(sink: ByteSink, start: number): void {
    const { bytes, at } = sink;
    const width = bytes[start]!;
    const length = at - start - width;
    if (length < 0x80 && width === 1) {
      bytes[start] = length;
      return;
    }
    const needed = widthOf(length);
    if (needed !== width) {
      sink.reserve(needed);
      sink.bytes.copyWithin(start + needed, start + width, at);
      this.#width = needed;
    }
    sink.at = start;
    sink.varint32(length);
    sink.at += length;
  }
}

/** Bytes of a length as a varint. */
function widthOf(length: number): number {
  if (length < 0x80) return 1;
  if (length < 0x4000) return 2;
  if (length < 0x20_0000) return 3;
  return length < 0x1000_0000 ? 4 : 5;
}
