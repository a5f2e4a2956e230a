/** Maximum bytes that are gathered before they are written. */
export const CHUNK_BYTES = 64 * 1024;

/** A character of a string takes at most three bytes of UTF-8 (a surrogate pair takes four). */
export const MAX_BYTES_PER_CHAR = 3;
/** Whole lines in a buffer, of which the bytes from `start` to `end` still have to be written. */
export interface LineSegment {
  bytes: Buffer;
  start: number;
  end: number;
  /** The number of lines in it. */
  lines: number;
  /** Its first byte starts a new file. */
  startsFile: boolean;
}

export function emptyChunk(bytes: Buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)): LineSegment {
  return { bytes, start: 0, end: 0, lines: 0, startsFile: false };
}

/** The start of the line that is written next, or is partly written. */
export function lineStart({ bytes, start }: LineSegment): number {
  return start === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, start - 1) + 1;
}

const LINE_FEED = 0x0a;

/** A copy of only the bytes that are still to be written, from the start of their first line. */
export function remainderOf(segment: LineSegment): LineSegment {
  const from = lineStart(segment);
  const bytes = Buffer.from(segment.bytes.subarray(from, segment.end));
  return { ...segment, bytes, start: segment.start - from, end: bytes.length };
}

/** How many of its lines are not completely written. A line with line feeds inside counts once. */
export function linesLeft({ bytes, start, end, lines }: LineSegment): number {
  if (start === 0) return lines;
  let left = 0;
  for (let at = bytes.indexOf(LINE_FEED, start); at >= 0 && at < end; left++) {
    at = bytes.indexOf(LINE_FEED, at + 1);
  }
  return Math.min(left, lines);
}
