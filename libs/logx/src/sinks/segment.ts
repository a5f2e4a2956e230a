/** Bytes that are gathered at most before they are written. */
export const CHUNK_BYTES = 64 * 1024;

/** A character of a string takes at most three bytes of UTF-8 (a surrogate pair takes four). */
export const MAX_BYTES_PER_CHAR = 3;
/** Whole lines in a buffer, of which `start` to `end` still have to be written. */
export interface LineSegment {
  bytes: Buffer;
  start: number;
  end: number;
  /** How many lines it holds. */
  lines: number;
  /** A new file begins with its first byte. */
  anew: boolean;
}

export function emptyChunk(bytes: Buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)): LineSegment {
  return { bytes, start: 0, end: 0, lines: 0, anew: false };
}

/** Where the line begins that is to be written next, or is half written. */
export function lineStart({ bytes, start }: LineSegment): number {
  return start === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, start - 1) + 1;
}

const LINE_FEED = 0x0a;

/** A copy that owns just what is still to be written, from the start of its first line. */
export function remainderOf(segment: LineSegment): LineSegment {
  const from = lineStart(segment);
  const bytes = Buffer.from(segment.bytes.subarray(from, segment.end));
  return { ...segment, bytes, start: segment.start - from, end: bytes.length };
}

/** How many of its lines are not wholly written. One with line feeds inside counts once. */
export function linesLeft({ bytes, start, end, lines }: LineSegment): number {
  if (start === 0) return lines;
  let left = 0;
  for (let at = bytes.indexOf(LINE_FEED, start); at >= 0 && at < end; left++) {
    at = bytes.indexOf(LINE_FEED, at + 1);
  }
  return Math.min(left, lines);
}
