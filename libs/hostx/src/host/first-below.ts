/** Numbers at the indexes from 0 to `size`, exclusive, all infinite at first: a tree of minima. */
export class FirstBelow {
  readonly #width: number;
  readonly #minima: Float64Array;

  constructor(size: number) {
    this.#width = 2 ** Math.ceil(Math.log2(Math.max(size, 1)));
    this.#minima = new Float64Array(2 * this.#width).fill(Infinity);
  }

  at(index: number): number {
    return this.#minima[this.#width + index]!;
  }

  set(index: number, value: number): void {
    let at = this.#width + index;
    this.#minima[at] = value;
    for (at >>= 1; at >= 1; at >>= 1) {
      this.#minima[at] = Math.min(this.#minima[2 * at]!, this.#minima[2 * at + 1]!);
    }
  }

  /** The first index after `index` whose number is below `limit`; null if there is none. */
  after(index: number, limit: number): number | null {
    let at = this.#width + index;
    // Up until something on the right is below it, then down to the first that is.
    for (;;) {
      while (at > 1 && at % 2 === 1) at >>= 1;
      if (at <= 1) return null;
      at += 1;
      if (this.#minima[at]! < limit) break;
    }
    while (at < this.#width) at = this.#minima[2 * at]! < limit ? 2 * at : 2 * at + 1;
    return at - this.#width;
  }
}
