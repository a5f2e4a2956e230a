import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DescriptorSource } from './descriptor-source.js';

/** A descriptor set that was built before one of its sources was saved. */
export interface StaleSet {
  /** As it was given. */
  readonly set: string;
  /** The .proto file that was saved last. */
  readonly newer: string;
}

/**
 * The descriptor sets that are older than a .proto file below one of the folders, by the times of the
 * files. A folder that does not exist, as in an app deployed without its sources, has none.
 */
export function staleSets(
  sources: DescriptorSource | readonly DescriptorSource[],
  folders: readonly string[],
): readonly StaleSet[] {
  const list: readonly unknown[] = Array.isArray(sources) ? sources : [sources];
  const protos = folders.flatMap(protosBelow);
  const newest = protos.toSorted((one, other) => other.savedMs - one.savedMs)[0];
  if (newest === undefined) return [];
  return list
    .filter((source) => typeof source === 'string')
    .filter((set) => (savedMs(set) ?? Infinity) < newest.savedMs)
    .map((set) => ({ set, newer: newest.path }));
}

function protosBelow(folder: string): { readonly path: string; readonly savedMs: number }[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.proto'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, savedMs: savedMs(path) ?? 0 }));
}

/** Undefined: the file is not there, or went away meanwhile. */
function savedMs(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
