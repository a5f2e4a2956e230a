import { findCycle, reaches } from '@apix/contracts';

/** What of a registration decides its place. */
export interface OrderEntry {
  readonly name: string;
  readonly after?: readonly string[] | undefined;
  readonly tier: 'service' | 'transport';
}

/**
 * For each entry the indexes of those that must be ready first. Stated edges come first: `after`,
 * and every transport after every service. An entry without `after` comes after all entries
 * registered before it, except those that have to wait for it.
 *
 * Adds to `mistakes` which names are unknown and which stated edges form a cycle.
 */
export function startOrder(
  entries: readonly OrderEntry[],
  mistakes: string[],
): readonly (readonly number[])[] {
  const indexOf = new Map(entries.map((entry, index) => [entry.name, index]));
  const edges = entries.map((entry) => {
    const stated = new Set<number>();
    for (const name of entry.after ?? []) {
      const index = indexOf.get(name);
      if (index !== undefined) stated.add(index);
      else mistakes.push(`service ${entry.name}: after: there is no service ${name}`);
    }
    if (entry.tier === 'transport') {
      for (const [index, other] of entries.entries())
        if (other.tier === 'service') stated.add(index);
    }
    return stated;
  });

  const behind = (index: number): Iterable<number> => edges[index]!;
  const cycle = findCycle(edges.keys(), behind);
  if (cycle !== null) {
    const names = [...cycle, cycle[0]!].map((index) => entries[index]!.name).join(' → ');
    mistakes.push(`services wait for each other: ${names}; a transport waits for every service`);
    return edges.map((edge) => [...edge]);
  }
  for (const [index, entry] of entries.entries()) {
    if (entry.after !== undefined) continue;
    for (let earlier = 0; earlier < index; earlier++) {
      // Why: docs/decisions/0052
      if (!reaches(earlier, index, behind)) edges[index]!.add(earlier);
    }
  }
  return edges.map((edge) => [...edge].toSorted((a, b) => a - b));
}
