import type { Outlet } from './outlet.js';

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

const LINE_FEED = 0x0a;

/**
 * Lines that are not written yet, oldest first: those that were set aside, then the chunk that gathers the
 * present ones.
 */
export class WaitingLines {
  readonly #aside: LineSegment[] = [];
  #chunk = emptyChunk();
  #bytesAside = 0;
  #linesAside = 0;

  /** The chunk to which lines are added. */
  get chunk(): LineSegment {
    return this.#chunk;
  }

  get bytes(): number {
    return this.#bytesAside + this.#chunk.end;
  }

  get lines(): number {
    return this.#linesAside + this.#chunk.lines;
  }

  /** The segment to be written next; without lines if none wait. */
  get next(): LineSegment {
    return this.#aside[0] ?? this.#chunk;
  }

  /** Adds a segment after the others, before the chunk. */
  add(segment: LineSegment): void {
    this.#aside.push(segment);
    this.#count(segment, 1);
  }

  /** Puts a segment back before the others. */
  addFirst(segment: LineSegment): void {
    this.#aside.unshift(segment);
    this.#count(segment, 1);
  }

  /** Moves the lines of the chunk after those that were set aside. */
  setChunkAside(): void {
    if (this.#chunk.lines === 0) return;
    this.add(remainderOf(this.#chunk));
    this.#chunk = emptyChunk(this.#chunk.bytes);
  }

  /** Discards `next`, which is written. */
  shift(): void {
    const segment = this.#aside.shift();
    if (segment === undefined) this.#chunk = emptyChunk(this.#chunk.bytes);
    else this.#count(segment, -1);
  }

  /** Starts a chunk in another buffer; the present buffer then belongs to the code that uses it. */
  renewChunk(buffer?: Buffer): void {
    this.#chunk = emptyChunk(buffer);
  }

  /** Discards everything and returns how many lines that loses. */
  clear(): number {
    const lost = this.#aside.reduce((sum, each) => sum + linesLeft(each), linesLeft(this.#chunk));
    this.#aside.length = 0;
    this.#bytesAside = 0;
    this.#linesAside = 0;
    this.#chunk = emptyChunk(this.#chunk.bytes);
    return lost;
  }

  #count(segment: LineSegment, sign: 1 | -1): void {
    this.#bytesAside += sign * segment.bytes.length;
    this.#linesAside += sign * segment.lines;
  }
}

function emptyChunk(bytes: Buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)): LineSegment {
  return { bytes, start: 0, end: 0, lines: 0, startsFile: false };
}

/** The start of the line that is written next, or is partly written. */
export function lineStart({ bytes, start }: LineSegment): number {
  return start === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, start - 1) + 1;
}

/** A copy of only the bytes that are still to be written, from the start of their first line. */
export function remainderOf(segment: LineSegment): LineSegment {
  const from = lineStart(segment);
  const bytes = Buffer.from(segment.bytes.subarray(from, segment.end));
  return { ...segment, bytes, start: segment.start - from, end: bytes.length };
}

/** How many of its lines are not completely written. A line with line feeds inside counts once. */
function linesLeft({ bytes, start, end, lines }: LineSegment): number {
  if (start === 0) return lines;
  let left = 0;
  for (let at = bytes.indexOf(LINE_FEED, start); at >= 0 && at < end; left++) {
    at = bytes.indexOf(LINE_FEED, at + 1);
  }
  return Math.min(left, lines);
}

/** Prepares for writing what is left of a segment, which may have to begin with its line again. */
export function prepareOutlet(outlet: Outlet, segment: LineSegment): void {
  if (segment.startsFile) outlet.renew?.();
  segment.startsFile = false;
  const left = segment.end - segment.start;
  if (outlet.prepare?.(left) === true) segment.start = lineStart(segment);
}
