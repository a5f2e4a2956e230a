/** The nodes that lie directly behind a node. */
export type NextNodes<T> = (node: T) => Iterable<T>;

/** Whether a way leads from one node to another; a node reaches itself. */
export function reaches<T>(from: T, to: T, next: NextNodes<T>): boolean {
  const seen = new Set<T>();
  const open = [from];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === to) return true;
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...next(node));
  }
  return false;
}

/** Nodes of which each leads to the one after it, and the last to the first; null if there are none. */
export function findCycle<T>(nodes: Iterable<T>, next: NextNodes<T>): readonly T[] | null {
  const done = new Set<T>();
  const search = (node: T, path: readonly T[]): readonly T[] | null => {
    const start = path.indexOf(node);
    if (start >= 0) return path.slice(start);
    if (done.has(node)) return null;
    for (const behind of next(node)) {
      const cycle = search(behind, [...path, node]);
      if (cycle !== null) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of nodes) {
    const cycle = search(node, []);
    if (cycle !== null) return cycle;
  }
  return null;
}
