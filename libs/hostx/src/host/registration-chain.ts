import { FirstBelow } from './first-below.js';

/** For each node the nodes that it waits for. */
type Waits = readonly (readonly number[])[];

/**
 * Puts the nodes `from` to `to` (exclusive) without stated waits into the order of registration: each waits
 * for all before it, except those that wait for it. Returns the waits to add, at most two for each node.
 * `stated` must have no cycle; waits for nodes outside of the range are ignored.
 *
 * Why it is right: docs/decisions/0052
 */
export function registrationChain(
  stated: Waits,
  isChained: (node: number) => boolean,
  [from, to]: readonly [number, number],
): readonly (readonly [node: number, waitsFor: number])[] {
  return new Chain(stated, isChained, from, to).waits();
}

/** The stated waits of a node, within the range. */
interface Behind {
  /** The chained ones, lowest first; those before `next` have a place. */
  readonly chained: readonly number[];
  next: number;
  readonly others: readonly number[];
}

class Chain {
  /** Nodes in an order in which they can start. */
  readonly #order: number[] = [];
  readonly #isPlaced = new Set<number>();
  readonly #dependents = new Map<number, number[]>();
  /** For each node with stated waits, how many of them have no place yet. */
  readonly #left = new Map<number, number>();
  readonly #behind = new Map<number, Behind>();
  /** As {@link #lowestBehind} found it. */
  readonly #lowest = new Map<number, number>();
  /** Nodes that had no place when the order came past them, by the lowest chained one behind. */
  readonly #held = new Map<number, number[]>();
  /** At each chained node, from `from` on, the lowest of those held by it. */
  readonly #heldBy: FirstBelow;
  #seen: number;

  constructor(
    private readonly stated: Waits,
    private readonly isChained: (node: number) => boolean,
    private readonly from: number,
    private readonly to: number,
  ) {
    this.#seen = from;
    this.#heldBy = new FirstBelow(to - from);
    const free: number[] = [];
    for (let node = from; node < to; node++) {
      if (isChained(node)) continue;
      const inside = this.#inside(node);
      this.#left.set(node, inside.length);
      if (inside.length === 0) free.push(node);
      for (const before of inside) {
        const dependents = this.#dependents.get(before);
        if (dependents === undefined) this.#dependents.set(before, [node]);
        else dependents.push(node);
      }
    }
    for (const node of free) this.#place(node);
  }

  waits(): [number, number][] {
    this.#placeAll();
    const waits: [number, number][] = [];
    // Chained nodes that come later, the nearest last; from there on, each one has a higher index.
    const later: number[] = [];
    let last: number | null = null;
    for (const node of this.#order.toReversed()) {
      if (!this.isChained(node)) {
        const first = nearestAbove(later, node);
        if (first !== undefined) waits.push([first, node]);
        continue;
      }
      if (last !== null) waits.push([last, node]);
      last = node;
      while (later.length > 0 && later.at(-1)! < node) later.pop();
      later.push(node);
    }
    return waits;
  }

  #placeAll(): void {
    // Each of these has to wait for the one after it.
    const open: number[] = [];
    for (let lowest = this.from; lowest < this.to; lowest++) {
      if (!this.isChained(lowest) || this.#isPlaced.has(lowest)) continue;
      open.push(lowest);
      for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
        const first = this.#chainedBefore(node);
        if (first !== null) open.push(first);
        else {
          this.#place(open.pop()!);
          this.#release(node);
        }
      }
    }
  }

  /** A chained node that has to be placed before this one; null when its turn has come. */
  #chainedBefore(node: number): number | null {
    for (; this.#seen < node; this.#seen++) {
      if (!this.#isPlaced.has(this.#seen) && !this.isChained(this.#seen)) this.#hold(this.#seen);
    }
    const first = this.#heldBy.after(node - this.from, node);
    return first === null ? null : first + this.from;
  }

  #hold(node: number): void {
    const lowest = this.#lowestBehind(node);
    const held = this.#held.get(lowest);
    if (held === undefined) this.#held.set(lowest, [node]);
    else held.push(node);
    const at = lowest - this.from;
    this.#heldBy.set(at, Math.min(this.#heldBy.at(at), node));
  }

  /** Passes the nodes held by this node to the next one behind it. */
  #release(node: number): void {
    const held = this.#held.get(node) ?? [];
    this.#held.delete(node);
    this.#heldBy.set(node - this.from, Infinity);
    for (const one of held) if (!this.#isPlaced.has(one)) this.#hold(one);
  }

  /** The lowest chained node without a place that this one waits for, directly or not. */
  #lowestBehind(node: number): number {
    const open = [node];
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      const behind = this.#behindOf(at);
      while (this.#isPlaced.has(behind.chained[behind.next]!)) behind.next += 1;
      let lowest = behind.chained[behind.next] ?? Infinity;
      const asked = open.length;
      for (const other of behind.others) {
        if (this.#isPlaced.has(other)) continue;
        const found = this.#lowest.get(other);
        // The set behind a node only shrinks, so a lowest one without a place stays the lowest.
        if (found === undefined || this.#isPlaced.has(found)) open.push(other);
        else if (found < lowest) lowest = found;
      }
      if (open.length === asked) this.#lowest.set(open.pop()!, lowest);
    }
    return this.#lowest.get(node)!;
  }

  #behindOf(node: number): Behind {
    const known = this.#behind.get(node);
    if (known !== undefined) return known;
    const inside = this.#inside(node);
    const behind: Behind = {
      chained: inside.filter(this.isChained).toSorted((a, b) => a - b),
      next: 0,
      others: inside.filter((one) => !this.isChained(one)),
    };
    this.#behind.set(node, behind);
    return behind;
  }

  #place(node: number): void {
    const open = [node];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      this.#order.push(at);
      this.#isPlaced.add(at);
      for (const dependent of this.#dependents.get(at) ?? []) {
        const left = this.#left.get(dependent)! - 1;
        this.#left.set(dependent, left);
        if (left === 0) open.push(dependent);
      }
    }
  }

  #inside(node: number): readonly number[] {
    return this.stated[node]!.filter((before) => before >= this.from && before < this.to);
  }
}

/** The last of the falling numbers that is above `floor`. */
function nearestAbove(falling: readonly number[], floor: number): number | undefined {
  let low = 0;
  let high = falling.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (falling[middle]! > floor) low = middle + 1;
    else high = middle;
  }
  return falling[low - 1];
}
