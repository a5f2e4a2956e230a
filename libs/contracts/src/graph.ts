/** The nodes that lie directly behind a node. */
export type NextNodes<T> = (node: T) => Iterable<T>;

/** Every node that a way leads to, the one where it begins included. */
export function reachable<T>(from: T, next: NextNodes<T>): ReadonlySet<T> {
  const seen = new Set([from]);
  // Iterating a set also visits what is added to it meanwhile.
  for (const node of seen) for (const behind of next(node)) seen.add(behind);
  return seen;
}

/** Whether a way leads from one node to another; a node reaches itself. */
export function reaches<T>(from: T, to: T, next: NextNodes<T>): boolean {
  return reachable(from, next).has(to);
}

/** Nodes of which each leads to the one after it, and the last to the first; null if there are none. */
export function findCycle<T>(nodes: Iterable<T>, next: NextNodes<T>): readonly T[] | null {
  const done = new Set<T>();
  // The way to the node that is looked at, each with what of its next nodes is left.
  const way = new Map<T, Iterator<T>>();
  const enter = (node: T): void => void way.set(node, next(node)[Symbol.iterator]());
  for (const start of nodes) {
    if (!done.has(start)) enter(start);
    const path = [start];
    while (way.size > 0) {
      const node = path.at(-1)!;
      const { value: behind, done: isDone } = way.get(node)!.next();
      if (isDone === true) {
        way.delete(node);
        path.pop();
        done.add(node);
      } else if (way.has(behind)) return path.slice(path.indexOf(behind));
      else if (!done.has(behind)) {
        enter(behind);
        path.push(behind);
      }
    }
  }
  return null;
}
