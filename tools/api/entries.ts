import type { Manifest } from '../architecture/package-tree.js';

/** An entry point of a package. */
export interface Entry {
  /** `index` for the root, else the subpath. */
  readonly name: string;
  /** Its declarations, relative to the package. */
  readonly types: string;
}

/**
 * What a package's `exports` offer to a user's compiler. `./internal` and `./internal-nest` are for the packages of this
 * repository alone: they may change in any version, so nobody approves their names.
 */
export function entriesOf({ exports = {} }: Manifest): Entry[] {
  return Object.entries(exports).flatMap(([path, targets]) => {
    const types = typeof targets === 'string' ? undefined : targets['types'];
    return types === undefined || path.startsWith('./internal')
      ? []
      : [{ name: path === '.' ? 'index' : path.slice(2), types }];
  });
}
