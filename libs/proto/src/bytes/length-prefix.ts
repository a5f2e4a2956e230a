import type { ByteSink } from './byte-sink.js';

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
