import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Import, type ModuleShape, parseImports } from './parse-imports.js';

/** The parts of a package.json that the rules read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly description?: string;
  readonly type?: string;
  readonly files?: readonly string[];
  readonly main?: string;
  readonly types?: string;
  readonly typesVersions?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A module of a package; `path` is relative to `src`, with slashes. */
export interface SourceModule extends ModuleShape {
  readonly path: string;
}

/** A package under libs/. */
export interface Package {
  /** The folder's name: `authz` is `@apix/authz`. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Hand-written modules without tests. */
  readonly modules: readonly SourceModule[];
  /** Folders of the packages that tsconfig.lib.json references. */
  readonly references: readonly string[];
  readonly hasReadme: boolean;
}

/** Where an import leads. */
export type Target =
  | { readonly kind: 'own'; readonly path: string }
  | { readonly kind: 'sibling'; readonly folder: string; readonly path: string }
  | { readonly kind: 'external'; readonly packageName: string };

/** Reads every package of libs/ that has sources. */
export function readPackages(root: string): Package[] {
  const libs = join(root, 'libs');
  return readdirSync(libs)
    .filter((folder) => existsSync(join(libs, folder, 'src/index.ts')))
    .map((folder) => readPackage(join(libs, folder), folder));
}

function readPackage(home: string, folder: string): Package {
  const src = join(home, 'src');
  return {
    folder,
    manifest: readJson(join(home, 'package.json')) as Manifest,
    modules: readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map((path) => path.split('\\').join('/'))
      .filter(isHandWritten)
      .map((path) => ({ path, ...parseImports(readFileSync(join(src, path), 'utf8')) })),
    references: referencesOf(join(home, 'tsconfig.lib.json')).map((path) => path.split('/')[1]!),
    hasReadme: existsSync(join(home, 'README.md')),
  };
}

function isHandWritten(path: string): boolean {
  return (
    path.endsWith('.ts') &&
    // Why: docs/decisions/0004
    !/\.(?:spec|type-spec|fixture)\.ts$/.test(path) &&
    !/(?:^|\/)gen\//.test(path)
  );
}

/** The `references` of a tsconfig file. */
export function referencesOf(file: string): string[] {
  const { references = [] } = readJson(file) as { references?: { path: string }[] };
  return references.map(({ path }) => path);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Finds where an import of one module leads. */
export function resolveImport(from: SourceModule, { specifier }: Import): Target {
  if (specifier.startsWith('.')) {
    const path = posix.join(posix.dirname(from.path), specifier).replace(/\.js$/, '.ts');
    return { kind: 'own', path };
  }
  const parts = specifier.split('/');
  const packageName = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
  if (!packageName.startsWith('@apix/')) return { kind: 'external', packageName };
  const inside = specifier.slice(packageName.length + 1);
  return {
    kind: 'sibling',
    folder: packageName.slice('@apix/'.length),
    path: inside === '' ? 'index.ts' : `${inside}/index.ts`,
  };
}
