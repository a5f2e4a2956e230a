/**
 * Names that lead back to the first of them; null where there are none.
 */
export function findCycle(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const done = new Set<string>();
  const search = (name: string, path: readonly string[]): string[] | null => {
    const start = path.indexOf(name);
    if (start >= 0) return path.slice(start);
    if (done.has(name)) return null;
    for (const next of edges.get(name) ?? []) {
      const cycle = search(next, [...path, name]);
      if (cycle !== null) return cycle;
    }
    done.add(name);
    return null;
  };
  for (const name of edges.keys()) {
    const cycle = search(name, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

export function describedCycle(cycle: readonly string[]): string {
  if (cycle.length === 1) return `the stage "${cycle[0]}" cannot come before or after itself`;
  const steps = cycle.map((name, i) => `"${name}" before "${cycle[(i + 1) % cycle.length]}"`);
  return `the stages cannot be put in order: ${steps.join(', ')}; remove one of these from after or before`;
}
