import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { thrownText } from '@apix/contracts';
import type { SourceText } from '../app-file.js';

/** Folders with third-party or generated code. */
const FOREIGN_FOLDERS = new Set(['node_modules', 'dist', 'build', 'coverage', 'bower_components']);

/** In bytes; files written by hand are not larger. */
const MAX_SIZE = 4 * 1024 * 1024;

/** The files found below paths. */
export interface FoundSources {
  readonly files: readonly SourceText[];
  /** Files that cannot be read, each with the reason. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Reads the TypeScript and JavaScript below folders, and files that are named. Declarations (`.d.ts`),
 * `node_modules`, generated folders (`dist`, `build`, `coverage`), folders that begin with a dot and
 * symbolic links are left out, unless they are named.
 *
 * @throws Error for a path that does not exist.
 */
export function findSources(paths: readonly string[]): FoundSources {
  const files: SourceText[] = [];
  const unreadable: { path: string; reason: string }[] = [];
  const known = new Set<string>();
  const read = (path: string): void => {
    try {
      const real = realpathSync(path);
      if (known.has(real)) return;
      known.add(real);
      const { size } = statSync(path);
      if (size > MAX_SIZE) throw new RangeError(`it has ${size} bytes, more than ${MAX_SIZE}`);
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        readFileSync(path),
      );
      files.push({ path, text });
    } catch (error) {
      unreadable.push({ path, reason: thrownText(error) });
    }
  };
  const walk = (folder: string): void => {
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        const path = join(folder, entry.name);
        if (entry.isDirectory() && !isForeign(entry.name)) walk(path);
        else if (entry.isFile() && isSource(entry.name)) read(path);
      }
    } catch (error) {
      unreadable.push({ path: folder, reason: thrownText(error) });
    }
  };
  for (const path of paths) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
      throw new Error(`${path} does not exist`);
    }
    if (statSync(path).isDirectory()) walk(path);
    else read(path);
  }
  return { files, unreadable };
}

function isForeign(name: string): boolean {
  return name.startsWith('.') || FOREIGN_FOLDERS.has(name);
}

function isSource(name: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(name) && !/\.d\.[cm]?ts$/.test(name);
}
