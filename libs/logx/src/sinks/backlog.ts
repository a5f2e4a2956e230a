import { linesLeft, type Segment } from './segment.js';

/** Lines that wait for an outlet that does not take them now, oldest first. */
export class Backlog {
  readonly #segments: Segment[] = [];
  #bytes = 0;
  #lines = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get lines(): number {
    return this.#lines;
  }

  get first(): Segment | undefined {
    return this.#segments[0];
  }

  add(segment: Segment): void {
    this.#segments.push(segment);
    this.#count(segment, 1);
  }

  /** Puts a segment back in front of the others. */
  addFirst(segment: Segment): void {
    this.#segments.unshift(segment);
    this.#count(segment, 1);
  }

  shift(): void {
    const segment = this.#segments.shift();
    if (segment !== undefined) this.#count(segment, -1);
  }

  /** Empties it and returns how many lines were lost by that. */
  clear(): number {
    const lost = this.#segments.reduce((sum, segment) => sum + linesLeft(segment), 0);
    this.#segments.length = 0;
    this.#bytes = 0;
    this.#lines = 0;
    return lost;
  }

  #count(segment: Segment, sign: 1 | -1): void {
    this.#bytes += sign * segment.bytes.length;
    this.#lines += sign * segment.lines;
  }
}
