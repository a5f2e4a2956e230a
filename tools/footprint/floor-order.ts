import { edgesOf } from '../architecture/import-rules.js';
import type { Package } from '../architecture/package-tree.js';

/**
 * Compares paths such as `logx/logger/core.ts` by floor, from the top down: packages before those
 * that they import, and in a package files before those that they import. Files of one floor, and
 * files that are in no package, are in the order of their names.
 */
export function byFloor(packages: readonly Package[]): (a: string, b: string) => number {
  const between = new Map<string, Set<string>>();
  const within = new Map<string, Set<string>>();
  for (const { pkg, from, target } of edgesOf(packages)) {
    const file = `${pkg.folder}/${from.path}`;
    if (target.kind === 'sibling') add(between, pkg.folder, target.folder);
    if (target.kind === 'own') add(within, file, `${pkg.folder}/${target.path}`);
  }
  const packageFloor = floorsIn(between);
  const fileFloor = floorsIn(within);
  return (a, b) => {
    const [one, other] = [folderOf(a), folderOf(b)];
    return (
      packageFloor(other) - packageFloor(one) ||
      compare(one, other) ||
      fileFloor(b) - fileFloor(a) ||
      compare(a, b)
    );
  };
}

/** The length of the longest way down from a node; a cycle adds nothing. */
function floorsIn(graph: ReadonlyMap<string, ReadonlySet<string>>): (node: string) => number {
  const floors = new Map<string, number>();
  const floorOf = (node: string): number => {
    const known = floors.get(node);
    if (known !== undefined) return known;
    floors.set(node, 0);
    const below = [...(graph.get(node) ?? [])].map((next) => floorOf(next) + 1);
    const floor = Math.max(0, ...below);
    floors.set(node, floor);
    return floor;
  };
  return floorOf;
}

function add(graph: Map<string, Set<string>>, from: string, to: string): void {
  graph.set(from, (graph.get(from) ?? new Set()).add(to));
}

function folderOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
