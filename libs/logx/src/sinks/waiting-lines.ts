import { emptyChunk, linesLeft, remainderOf, type LineSegment } from './segment.js';

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
