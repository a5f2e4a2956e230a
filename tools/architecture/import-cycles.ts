import { edgesOf, type Rule } from './import-rules.js';

/** Files by name, such as `authz/jwt/key-source.ts`, and what each imports. */
export type ImportGraph = ReadonlyMap<string, ReadonlyMap<string, 'type' | 'value'>>;

/** No file of libs/ imports itself by way of others, within a package or through several. */
export const noCycles: Rule = (packages) => {
  const graph = new Map<string, Map<string, 'type' | 'value'>>();
  for (const { pkg, from, target, typeOnly } of edgesOf(packages)) {
    if (target.kind === 'external') continue;
    const to = `${target.kind === 'own' ? pkg.folder : target.folder}/${target.path}`;
    const name = `${pkg.folder}/${from.path}`;
    const targets = graph.get(name) ?? new Map<string, 'type' | 'value'>();
    graph.set(name, targets);
    if (!typeOnly || !targets.has(to)) targets.set(to, typeOnly ? 'type' : 'value');
  }
  return cyclesIn(graph);
};

/**
 * The cycles of a graph: for every file the shortest one through it, each once. Types count: two
 * files that need each other to be understood are one concept or have one too many.
 */
export function cyclesIn(graph: ImportGraph): string[] {
  const cycles = [...graph.keys()].toSorted().flatMap((name) => {
    const cycle = shortestCycle(graph, name);
    return cycle === undefined ? [] : [described(graph, fromSmallest(cycle))];
  });
  return [...new Set(cycles)];
}

/** The files of the shortest way from a file back to itself, that file first and once. */
function shortestCycle(graph: ImportGraph, start: string): readonly string[] | undefined {
  const trails: string[][] = [[start]];
  const seen = new Set<string>();
  for (const trail of trails) {
    for (const next of graph.get(trail.at(-1)!)?.keys() ?? []) {
      if (next === start) return trail;
      if (seen.has(next)) continue;
      seen.add(next);
      trails.push([...trail, next]);
    }
  }
  return undefined;
}

/** The same cycle whichever file it was found from. */
function fromSmallest(cycle: readonly string[]): readonly string[] {
  const first = cycle.indexOf(cycle.toSorted()[0]!);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}

function described(graph: ImportGraph, cycle: readonly string[]): string {
  const steps = [...cycle.slice(1), cycle[0]!].map((to, index) => {
    const kind = graph.get(cycle[index]!)?.get(to);
    return ` -> ${kind === 'type' ? '(type) ' : ''}${to}`;
  });
  return cycle[0]! + steps.join('');
}
