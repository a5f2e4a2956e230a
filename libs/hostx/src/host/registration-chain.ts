/** For each node the nodes that it waits for. */
type Waits = readonly (readonly number[])[];

/** A node with stated waits. */
interface Other {
  readonly node: number;
  /** By place in the order of registration of the chain: 1 for those that it waits for, directly or not. */
  readonly behind: Uint8Array;
}

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
  const nodes = Array.from({ length: to - from }, (_, index) => from + index);
  const chained = nodes.filter(isChained);
  if (chained.length === 0) return [];
  const others = othersOf(stated, nodes, chained);
  const order = startsOf(chained, others);
  const inOrder = order.map((place) => chained[place]!);
  const waits: [number, number][] = inOrder
    .slice(1)
    .map((node, before) => [node, inOrder[before]!]);
  for (const { node, behind } of others) {
    let turn = order.length;
    while (turn > 0 && behind[order[turn - 1]!] !== 1) turn -= 1;
    while (turn < order.length && inOrder[turn]! < node) turn += 1;
    if (turn < order.length) waits.push([inOrder[turn]!, node]);
  }
  return waits;
}

/** The places of the chain in the order in which they start. */
function startsOf(chained: readonly number[], others: readonly Other[]): readonly number[] {
  const order: number[] = [];
  const hasStarted = new Uint8Array(chained.length);
  const nodes = Int32Array.from(others, ({ node }) => node);
  /** For each of the others the first place behind it that has not started; -1 if there is none. */
  const lowest = Int32Array.from(others, ({ behind }) => behind.indexOf(1));
  const start = (place: number): void => {
    order.push(place);
    hasStarted[place] = 1;
    for (let at = 0; at < lowest.length; at++) {
      while (hasStarted[lowest[at]!] === 1) {
        lowest[at] = others[at]!.behind.indexOf(1, lowest[at]! + 1);
      }
    }
  };
  for (const place of chained.keys()) {
    // Each of these has to wait for the one after it.
    const open = hasStarted[place] === 1 ? [] : [place];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      let first = Infinity;
      for (let at = 0; nodes[at]! < chained[last]!; at++) {
        // An earlier node that does not wait for the last one, and has to wait for a later one.
        if (lowest[at]! > last && lowest[at]! < first) first = lowest[at]!;
      }
      if (first < chained.length) open.push(first);
      else start(open.pop()!);
    }
  }
  return order;
}

/** The nodes with stated waits, lowest first. */
function othersOf(
  stated: Waits,
  nodes: readonly number[],
  chained: readonly number[],
): readonly Other[] {
  const places = new Map(chained.map((node, place) => [node, place]));
  const rest = nodes.filter((node) => !places.has(node));
  const rows = new Map<number, Uint8Array>();
  const open = rest.toReversed();
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    const inside = stated[node]!.filter((one) => one >= nodes[0]! && one <= nodes.at(-1)!);
    const first = inside.filter((one) => !places.has(one) && !rows.has(one));
    if (first.length > 0 && !rows.has(node)) {
      for (const one of first) open.push(one);
      continue;
    }
    open.pop();
    if (rows.has(node)) continue;
    const row = new Uint8Array(chained.length);
    for (const one of inside) {
      const place = places.get(one);
      if (place !== undefined) row[place] = 1;
      else rows.get(one)!.forEach((isBehind, at) => (row[at]! |= isBehind));
    }
    rows.set(node, row);
  }
  return rest.map((node) => ({ node, behind: rows.get(node)! }));
}
