import { findCycle, reaches } from '@apix/contracts/internal';
import type { OrderEntry } from './start-order.js';

/**
 * What each entry waits for, found by asking for each pair, which is how the rule reads: an entry
 * without `after` waits for all earlier ones except those that wait for it. Null for a cycle.
 */
export function orderByPairs(
  entries: readonly OrderEntry[],
): readonly (readonly number[])[] | null {
  const indexOf = new Map(entries.map((entry, index) => [entry.name, index]));
  const edges = entries.map((entry) => {
    const stated = new Set((entry.after ?? []).map((name) => indexOf.get(name)!));
    if (entry.tier === 'transport') {
      for (const [index, { tier }] of entries.entries()) if (tier === 'service') stated.add(index);
    }
    return stated;
  });
  const behind = (index: number): Iterable<number> => edges[index]!;
  if (findCycle(edges.keys(), behind) !== null) return null;
  for (const [index, entry] of entries.entries()) {
    if (entry.after !== undefined) continue;
    for (let earlier = 0; earlier < index; earlier++) {
      if (!reaches(earlier, index, behind)) edges[index]!.add(earlier);
    }
  }
  return closed(edges.map((edge) => [...edge]));
}

/** The same waits with all that follow from them, lowest first. */
export function closed(order: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return order.map((_, index) => {
    const found = new Set<number>();
    const open = [...order[index]!];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (found.has(at)) continue;
      found.add(at);
      open.push(...order[at]!);
    }
    return [...found].toSorted((a, b) => a - b);
  });
}
