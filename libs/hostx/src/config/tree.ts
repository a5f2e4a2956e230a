import type { Path } from './path.js';

/** A node of a configuration before validation: as JSON has it. */
export type Tree = unknown;

export type Branch = { [key: string]: Tree };

/** Keys through which a document could reach the prototypes of this process. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

export function isBranch(tree: Tree): tree is Branch {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree);
}

/**
 * Lays one tree over another: objects are merged key by key; everything else, arrays and null included,
 * replaces the previous value. Neither tree is changed.
 */
export function merge(under: Tree, over: Tree): Tree {
  if (!isBranch(under) || !isBranch(over)) return over;
  const merged: Branch = { ...under };
  for (const [key, value] of Object.entries(over)) {
    merged[key] = Object.hasOwn(under, key) ? merge(under[key], value) : value;
  }
  return merged;
}

/** The value at a path, or undefined if there is none. */
export function valueAt(tree: Tree, path: Path): Tree {
  let at = tree;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string | number, Tree>)[part];
  }
  return at;
}

/** A copy with a value merged into the one at a path; missing objects and arrays are created. */
export function withValueAt(tree: Tree, path: Path, value: Tree): Tree {
  const [first, ...rest] = path;
  if (first === undefined) return merge(tree, value);
  if (typeof first === 'number') {
    const array: Tree[] = Array.isArray(tree) ? [...tree] : [];
    array[first] = withValueAt(array[first], rest, value);
    return array;
  }
  const branch = isBranch(tree) ? tree : {};
  const under = Object.hasOwn(branch, first) ? branch[first] : undefined;
  return { ...branch, [first]: withValueAt(under, rest, value) };
}

/** The first path whose key is forbidden, or null. */
export function forbiddenKey(tree: Tree, path: Path = []): Path | null {
  if (typeof tree !== 'object' || tree === null) return null;
  for (const [key, value] of Object.entries(tree)) {
    const here = [...path, Array.isArray(tree) ? Number(key) : key];
    const found = FORBIDDEN.has(key) ? here : forbiddenKey(value, here);
    if (found !== null) return found;
  }
  return null;
}

/** Freezes objects and arrays; instances of classes, which a schema may make, stay as they are. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
