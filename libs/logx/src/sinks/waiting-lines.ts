import { emptyChunk, linesLeft, remainderOf, type LineSegment } from './segment.js';

/**
 * Lines that are not written yet, oldest first: those that were set aside, then the chunk that
 * gathers the present ones.
 */
export class WaitingLines {
  readonly #aside: LineSegment[] = [];
  #chunk = emptyChunk();
  #bytesAside = 0;
  #linesAside = 0;

  /** The chunk that lines are put into. */
  get chunk(): LineSegment {
    return this.#chunk;
  }

  get bytes(): number {
    return this.#bytesAside + this.#chunk.end;
  }

  get lines(): number {
    return this.#linesAside + this.#chunk.lines;
  }

  /** What is to be written next; without lines where none wait. */
  get next(): LineSegment {
    return this.#aside[0] ?? this.#chunk;
  }

  /** Adds a segment behind the others, before the chunk. */
  add(segment: LineSegment): void {
    this.#aside.push(segment);
    this.#count(segment, 1);
  }

  /** Puts a segment back in front of the others. */
  addFirst(segment: LineSegment): void {
    this.#aside.unshift(segment);
    this.#count(segment, 1);
  }

  /** Moves what the chunk holds behind what was set aside. */
  setChunkAside(): void {
    if (this.#chunk.lines === 0) return;
    this.add(remainderOf(this.#chunk));
    this.#chunk = emptyChunk(this.#chunk.bytes);
  }

  /** Lets go of `next`, which is written. */
  shift(): void {
    const segment = this.#aside.shift();
    if (segment === undefined) this.#chunk = emptyChunk(this.#chunk.bytes);
    else this.#count(segment, -1);
  }

  /** Begins a chunk in another buffer; its owner is who has the present one. */
  renewChunk(buffer?: Buffer): void {
    this.#chunk = emptyChunk(buffer);
  }

  /** Lets go of everything and returns how many lines were lost by that. */
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
