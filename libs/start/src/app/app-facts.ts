import { type MainModule, rootModuleOf } from '../source/root-module.js';
import type { AppFiles } from './app-files.js';
import { installedVersion, type Manifest, readManifest } from './manifest-file.js';
import { mayOverlap } from './version-range.js';

/** The facts about an app that determine its files. */
export interface AppFacts {
  readonly sourceRoot: string;
  /** Whether its file imports end with `.js`, as in ES modules. */
  readonly isEsm: boolean;
  /** Undefined if it cannot be determined from main.ts. */
  readonly rootModule: MainModule | undefined;
  /** The major version of `@nestjs/core`. */
  readonly nestMajor: 11 | 12;
  readonly packageManager: PackageManager;
  /** Whether the package manager runs no `pre` scripts, as yarn from version 2 on and pnpm before 9. */
  readonly skipsPreScripts: boolean;
  /** The packages of package.json, with their ranges. */
  readonly packages: Readonly<Record<string, string>>;
}

/** The releases of Nest that the packages work with. */
const SUPPORTED = ['^11.1.4', '^12.0.1'];

/** @throws if there is no package.json of a Nest app, or its Nest is not supported. */
export function readAppFacts(files: AppFiles, sourceRoot: string): AppFacts {
  const manifest = readManifest(files);
  const nest = manifest.dependencies?.['@nestjs/core'];
  if (nest === undefined) {
    throw new Error(
      'start: package.json has no @nestjs/core among its dependencies; run `nest add` in the folder of a Nest app',
    );
  }
  const version = installedVersion(files, '@nestjs/core') ?? nest;
  if (!SUPPORTED.some((needed) => mayOverlap(version, needed))) {
    throw new Error(
      `start: @nestjs/core ${version} is not supported; update it to 11.1.4 or later, or to 12`,
    );
  }
  const packageManager = packageManagerOf(files, manifest);
  return {
    sourceRoot,
    isEsm: manifest.type === 'module',
    rootModule: rootModuleOf(files.text(`${sourceRoot}/main.ts`) ?? ''),
    nestMajor: /(\d+)/.exec(version)?.[1] === '11' ? 11 : 12,
    packageManager,
    skipsPreScripts: skipsPreScripts(files, manifest),
    packages: { ...manifest.devDependencies, ...manifest.dependencies },
  };
}

/** The import path of a file of the app. */
export function importPath(path: string, { isEsm }: Pick<AppFacts, 'isEsm'>): string {
  return isEsm ? `${path}.js` : path;
}

const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;

const LOCKS = [
  ['yarn.lock', 'yarn'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const;

type PackageManager = (typeof MANAGERS)[number];

/** The package manager, by its lock file or the field of package.json. */
function packageManagerOf(files: AppFiles, { packageManager = '' }: Manifest): PackageManager {
  const named = MANAGERS.find((name) => packageManager.startsWith(`${name}@`));
  return LOCKS.find(([lock]) => files.exists(lock))?.[1] ?? named ?? 'npm';
}

/** Whether it runs no `pre` scripts, as yarn from version 2 on and pnpm before 9: the format of the lock file shows it too. */
export function skipsPreScripts(files: AppFiles, { packageManager = '' }: Manifest): boolean {
  return (
    /^(?:yarn@(?!1\b)|pnpm@[1-8]\b)/.test(packageManager) ||
    files.exists('.yarnrc.yml') ||
    /^__metadata:/m.test(files.text('yarn.lock') ?? '') ||
    /^lockfileVersion: '?[5-6]\./m.test(files.text('pnpm-lock.yaml') ?? '')
  );
}
