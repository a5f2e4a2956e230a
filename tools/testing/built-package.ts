import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { referencesOf } from '../architecture/package-tree.js';
import { bundlePackage, MODULES } from '../bundle/bundle-package.js';
import { ROOT } from './bundle-script.js';

/** A package in its published form, in a folder of its own. */
export interface BuiltPackage {
  readonly home: string;
  /** The file of one of its commands. */
  command(name: string): string;
  remove(): void;
}

/**
 * Compiles a package and the packages of the repository that it needs, where `npm run build` compiles them too, and joins
 * them in a folder of their own: a clone may have no joined files, and another test may run from those that it has.
 */
export async function builtPackage(home: string): Promise<BuiltPackage> {
  const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  execFileSync(process.execPath, [tsc, '-b', join(home, 'tsconfig.lib.json')], { env: {} });
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.built-'));
  const homes = [...neededBy(home)].map((source) => {
    const target = join(folder, 'node_modules', manifestOf(source).name);
    for (const part of ['package.json', MODULES]) {
      cpSync(join(source, part), join(target, part), { recursive: true });
    }
    return target;
  });
  await Promise.all(homes.map(bundlePackage));
  const own = homes[0]!;
  return {
    home: own,
    command: (name) => join(own, manifestOf(own).bin?.[name] ?? ''),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The folder of a package, and then those of the packages that it refers to, directly or not. */
function neededBy(home: string, found = new Set<string>()): ReadonlySet<string> {
  const folder = resolve(home);
  if (found.has(folder)) return found;
  found.add(folder);
  for (const path of referencesOf(join(folder, 'tsconfig.lib.json'))) {
    neededBy(resolve(folder, path, '..'), found);
  }
  return found;
}

function manifestOf(home: string): { name: string; bin?: Readonly<Record<string, string>> } {
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { name: string };
}
