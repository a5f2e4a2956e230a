import { type Buffer, isAscii } from 'node:buffer';

/**
 * Where a byte of a document is: `line 2, column 18`, both from 1, columns in units of UTF-16. Costs less
 * than reading the document up to there.
 *
 * @param bytes valid UTF-8.
 */
export function lineAndColumn(bytes: Buffer, at: number): string {
  const start = at === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
  const column = isAscii(bytes.subarray(start, at)) ? at - start : countUnits(bytes, start, at);
  return `line ${countLines(bytes, start)}, column ${column + 1}`;
}

const LINE_FEED = 0x0a;
const LINE_FEEDS = 0x0a0a_0a0a;
const ONES = 0x0101_0101;

/** Four bytes a step: each byte of a word becomes 1 if it counts, otherwise 0. */
function countUnits(bytes: Buffer, from: number, to: number): number {
  const view = viewOf(bytes);
  let units = to - from;
  let at = from;
  for (; at + 3 < to; at += 4) {
    const word = view.getInt32(at, true);
    const highest = word >>> 7;
    const later = highest & ~(word >>> 6) & ONES;
    const beyondFirstPlane = highest & (word >>> 6) & (word >>> 5) & (word >>> 4) & ONES;
    units += sumOfBytes(beyondFirstPlane) - sumOfBytes(later);
  }
  for (; at < to; at++) {
    const byte = bytes[at]!;
    if ((byte & 0xc0) === 0x80) units--;
    if (byte >= 0xf0) units++;
  }
  return units;
}

function countLines(bytes: Buffer, end: number): number {
  let lines = 1;
  let at = bytes.indexOf(LINE_FEED);
  if (at === -1) return lines;
  const view = viewOf(bytes);
  for (; at + 3 < end; at += 4) {
    const word = view.getInt32(at, true) ^ LINE_FEEDS;
    // A byte's highest bit is set where it is 0, and no other bit is.
    const found = ~(((word & 0x7f7f_7f7f) + 0x7f7f_7f7f) | word | 0x7f7f_7f7f);
    lines += sumOfBytes(found >>> 7);
  }
  for (; at < end; at++) if (bytes[at] === LINE_FEED) lines++;
  return lines;
}

function sumOfBytes(word: number): number {
  return Math.imul(word, ONES) >>> 24;
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
