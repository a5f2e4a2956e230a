import type { ByteSink } from '../../bytes/byte-sink.js';

/**
 * The length before what is written next. Room is left for as many bytes as the last length of
 * its kind took; when that was wrong, what was written moves.
 */
export class LengthPrefix {
  /** Bytes that the last length took. */
  width = 1;

  /** Leaves room for `width` bytes and says where the content begins. */
  open(sink: ByteSink): number {
    sink.reserve(this.width);
    sink.at += this.width;
    return sink.at;
  }

  /** @param width as it was when the content began at `start`. */
  close(sink: ByteSink, start: number, width: number): void {
    const length = sink.at - start;
    const needed = widthOf(length);
    if (needed !== width) {
      sink.reserve(needed);
      sink.bytes.copyWithin(start - width + needed, start, sink.at);
      this.width = needed;
    }
    sink.at = start - width;
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
