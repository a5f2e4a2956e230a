/** Bytes that are gathered at most before they are written. */
export const CHUNK_BYTES = 64 * 1024;

/** Whole lines in a buffer, of which `start` to `end` still have to be written. */
export interface Segment {
  bytes: Buffer;
  start: number;
  end: number;
  /** How many lines it holds. */
  lines: number;
  /** A new file begins with its first byte. */
  anew: boolean;
}

export function emptyChunk(bytes: Buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)): Segment {
  return { bytes, start: 0, end: 0, lines: 0, anew: false };
}

/** A copy that owns just the bytes which are still to be written. */
export function remainderOf(segment: Segment): Segment {
  const bytes = Buffer.from(segment.bytes.subarray(segment.start, segment.end));
  return { ...segment, bytes, start: 0, end: bytes.length };
}
