import type { Layer } from './layer.js';
import { type Path, isWithin, variableOf } from './path.js';
import { type Tree, valueAt } from './tree.js';
import type { Setting } from './variables.js';

/** The sources of a configuration. */
export interface Sources {
  readonly whole: Tree;
  readonly layers: readonly Layer[];
  readonly settings: readonly Setting[];
  readonly prefix: string;
  /** Paths whose values could not be had. */
  readonly lost: readonly Path[];
}

/** Where the value at a path comes from, or could. */
export function sourceOf(path: Path, { whole, layers, settings, prefix }: Sources): string {
  const setting = settings.findLast((one) => isWithin(path, one.path));
  if (setting !== undefined) return setting.variable;
  const files = layers.map(({ name }) => name);
  if (path.length === 0) return [...files, `variables ${prefix}…`].join(', ');
  if (valueAt(whole, path) === undefined) {
    return `missing; set it in ${files.at(-1) ?? 'a file'} or as ${variableOf(path, prefix)}`;
  }
  const layer = layers.findLast(({ tree }) => valueAt(tree, path) !== undefined);
  return layer?.at(path) ?? settings.find((one) => isWithin(one.path, path))?.variable ?? 'unknown';
}

/** Whether a fault at a path would also exist if everything could have been read. */
export function isCertain(path: Path, { layers, settings, lost }: Sources): boolean {
  if (lost.some((one) => isWithin(path, one) || isWithin(one, path))) return false;
  if (settings.some((one) => isWithin(path, one.path))) return true;
  const lostLayer = layers.findLastIndex(({ isLost }) => isLost);
  if (lostLayer === -1) return true;
  return layers.findLastIndex(({ tree }) => valueAt(tree, path) !== undefined) > lostLayer;
}
