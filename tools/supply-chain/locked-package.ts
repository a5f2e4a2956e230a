import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a lock file says of one installed package. */
export interface LockedPackage {
  /** From the root of the repository, such as `node_modules/ws`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Whether only those who work on this repository have it. */
  readonly isDev: boolean;
  readonly hasInstallScript: boolean;
  /** The range of Node versions that it wants; undefined: any. */
  readonly node: string | undefined;
  /** Names of what it cannot do without, peers left out. */
  readonly dependencies: readonly string[];
  /** As SPDX names it; undefined where it says none. */
  readonly license: string | undefined;
  /** Of its tarball, in the form of Subresource Integrity, `sha512-<base64>`. */
  readonly integrity: string | undefined;
}

interface Entry {
  readonly name?: string;
  readonly version?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly license?: string;
  readonly integrity?: string;
}

/** Every installed package of a folder, without those that are developed in it. */
export function readLock(folder: string): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Entry>>;
  };
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, entry]) => ({
      path,
      name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version ?? '',
      isDev: entry.dev === true,
      hasInstallScript: entry.hasInstallScript === true,
      node: entry.engines?.node,
      dependencies: Object.keys(entry.dependencies ?? {}),
      license: entry.license,
      integrity: entry.integrity,
    }));
}

/** What Node finds for a name from a folder: there or in one above it. */
export function resolveLocked(
  locked: readonly LockedPackage[],
  from: string,
  name: string,
): LockedPackage | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const found = locked.find((one) => one.path === path);
    if (found !== undefined || folder === '') return found;
  }
}

/** What these names bring from a folder, with all that it brings itself; peers are the app's to bring. */
export function broughtBy(
  locked: readonly LockedPackage[],
  from: string,
  names: readonly string[],
): LockedPackage[] {
  const found = new Set<LockedPackage>();
  const take = (wanted: readonly string[], folder: string): void => {
    for (const name of wanted) {
      const one = resolveLocked(locked, folder, name);
      if (one === undefined || found.has(one)) continue;
      found.add(one);
      take(one.dependencies, one.path);
    }
  };
  take(names, from);
  return [...found];
}
