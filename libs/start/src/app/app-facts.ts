import type { AppFiles } from './app-files.js';
import { installedVersion, readManifest } from './manifest-file.js';
import { type PackageManager, packageManagerOf, skipsPreScripts } from './package-manager.js';
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
  if (!SUPPORTED.some((needed) => mayMeet(version, needed))) {
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
