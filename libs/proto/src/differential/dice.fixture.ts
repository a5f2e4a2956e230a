/** Chance from a seed: the same seed throws the same dice on every machine. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e37_79b1) ^ 0x5bf0_3635;
  }

  /** At least 0, less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer of `from` to `to`, both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.next() * of.length)]!;
  }

  /** 64 random bits. */
  bits64(): bigint {
    return (BigInt(this.int(0, 0xffff_ffff)) << 32n) | BigInt(this.int(0, 0xffff_ffff));
  }

  /** Some of the items, in their order. */
  some<T>(of: readonly T[], share: number): T[] {
    return of.filter(() => this.chance(share));
  }

  shuffle<T>(items: T[]): T[] {
    for (let at = items.length - 1; at > 0; at--) {
      const other = this.int(0, at);
      [items[at], items[other]] = [items[other]!, items[at]!];
    }
    return items;
  }

  /** As many as `make` made, from 0 to `most`, mostly few. */
  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: Math.floor(this.next() ** 2 * (most + 1)) }, make);
  }
}
