import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseImports } from '../architecture/parse-imports.js';

/** Which spec files reach which files, by their imports. */
export class ImportGraph {
  /** The files that import a file. */
  readonly #importers = new Map<string, Set<string>>();

  constructor(private readonly root: string) {
    for (const folder of ['libs', 'apps', 'tools']) {
      for (const file of filesIn(join(root, folder))) this.#read(file);
    }
  }

  /**
   * The spec files that reach a file, those of its own package before others, and of these the nearest by
   * folders and imports: a spec file may reach what it is about only through a fixture.
   */
  specsOf(file: string): string[] {
    const distances = new Map([[file, 0]]);
    for (const [next, distance] of distances) {
      for (const importer of this.#importers.get(next) ?? []) {
        if (!distances.has(importer)) distances.set(importer, distance + 1);
      }
    }
    const packageOf = (path: string): string => path.split('/').slice(0, 2).join('/');
    const far = (path: string): number =>
      distances.get(path)! +
      (packageOf(path) === packageOf(file) ? -2 * sharedFolders(path, file) : 1_000);
    return [...distances.keys()]
      .filter((path) => path.endsWith('.spec.ts'))
      .toSorted((a, b) => far(a) - far(b) || (a < b ? -1 : 1));
  }

  #read(file: string): void {
    const from = relative(this.root, file);
    for (const { specifier, typeOnly } of parseImports(readFileSync(file, 'utf8')).imports) {
      const target = typeOnly ? undefined : this.#resolved(file, specifier);
      if (target === undefined) continue;
      const importers = this.#importers.get(target) ?? new Set();
      this.#importers.set(target, importers.add(from));
    }
  }

  /** As `moduleNameMapper` of the Jest configuration has it. */
  #resolved(file: string, specifier: string): string | undefined {
    const [, name, subpath = ''] = /^@apix\/([^/]+)(?:\/([^/]+))?$/.exec(specifier) ?? [];
    const path =
      name === undefined
        ? specifier.startsWith('.') && join(dirname(file), specifier.replace(/\.js$/, '.ts'))
        : join(this.root, 'libs', name, 'src', subpath, 'index.ts');
    return path && existsSync(path) ? relative(this.root, path) : undefined;
  }
}

function sharedFolders(a: string, b: string): number {
  const folders = dirname(b).split('/');
  const others = dirname(a).split('/');
  const fork = folders.findIndex((folder, place) => folder !== others[place]);
  return fork === -1 ? folders.length : fork;
}

/** Every TypeScript file, generated and installed ones left out. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return ['node_modules', 'dist', 'gen', 'testdata'].includes(entry.name) ? [] : filesIn(path);
    }
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}
