import type { AppFiles } from './app-files.js';
import { type Manifest, readManifest } from './manifest-file.js';
import { type MainModule, rootModuleOf } from '../source/root-module.js';
import { mayMeet } from './version-range.js';

/** The facts about an app that determine its files. */
export interface AppFacts {
  readonly sourceRoot: string;
  /** Whether its file imports end with `.js`, as in ES modules. */
  readonly isEsm: boolean;
  /** Undefined if it cannot be determined from main.ts. */
  readonly rootModule: MainModule | undefined;
  /** The major version of `@nestjs/core`. */
  readonly nestMajor: 11 | 12;
  readonly packageManager: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Whether the package manager runs no `pre` scripts, as yarn from version 2 on. */
  readonly skipsPreScripts: boolean;
  /** The packages of package.json, with their ranges. */
  readonly packages: Readonly<Record<string, string>>;
}

/** The releases of Nest that the packages work with. */
const SUPPORTED = ['^11.1.4', '^12.0.1'];

const LOCKS = [
  ['yarn.lock', 'yarn'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const;

/** @throws if there is no package.json of a Nest app, or its Nest is not supported. */
export function readAppFacts(files: AppFiles, sourceRoot: string): AppFacts {
  const manifest = readManifest(files);
  const nest = manifest.dependencies?.['@nestjs/core'];
  if (nest === undefined) {
    throw new Error(
      'start: package.json has no @nestjs/core among its dependencies; run `nest add` in the folder of a Nest app',
    );
  }
  const installed = files.text('node_modules/@nestjs/core/package.json');
  const version =
    installed === undefined ? nest : (JSON.parse(installed) as { version: string }).version;
  if (!SUPPORTED.some((needed) => mayMeet(version, needed))) {
    throw new Error(
      `start: @nestjs/core ${version} is not supported; update it to 11.1.4 or later, or to 12`,
    );
  }
  const [packageManager, managerMajor] = packageManagerOf(files, manifest);
  return {
    sourceRoot,
    isEsm: manifest.type === 'module',
    rootModule: rootModuleOf(files.text(`${sourceRoot}/main.ts`) ?? ''),
    nestMajor: /(\d+)/.exec(version)?.[1] === '11' ? 11 : 12,
    packageManager,
    skipsPreScripts: packageManager === 'yarn' && (managerMajor > 1 || files.exists('.yarnrc.yml')),
    packages: { ...manifest.devDependencies, ...manifest.dependencies },
  };
}

/** The package manager, by its lock file or the field of package.json, and the major version that the field has. */
function packageManagerOf(
  files: AppFiles,
  { packageManager = '' }: Manifest,
): [AppFacts['packageManager'], number] {
  const [, named, major] = /^(npm|pnpm|yarn|bun)@(\d+)/.exec(packageManager) ?? [];
  const locked = LOCKS.find(([lock]) => files.exists(lock))?.[1];
  const found = locked ?? (named as AppFacts['packageManager'] | undefined) ?? 'npm';
  return [found, found === named ? Number(major) : 0];
}

/** The import path of a file of the app. */
export function importPath(path: string, { isEsm }: Pick<AppFacts, 'isEsm'>): string {
  return isEsm ? `${path}.js` : path;
}
