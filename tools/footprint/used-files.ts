import type { Coverage } from './debugged-process.js';

/** A file of ours, and what ran of it. */
export interface UsedFile {
  /** Package and path of the source, such as `logx/logger/core.ts`. */
  readonly path: string;
  /** Names in the order of the file; a function without a name is `(anonymous)`. */
  readonly functions: readonly string[];
}

/** What compilers add to a file or a class; nobody wrote it, and nobody reads it. */
const ADDED = /^(?:_ts_\w+|__\w+|<\w+>)$/;
const OUTPUT = /^([^/]+)\/src\/(.+)\.js$/;

/**
 * The files below `libs` whose functions ran, with those that ran at least `atLeast` times. What a
 * module does while it is loaded is not counted, nor is generated code. Files are in the order of their
 * paths.
 *
 * @param libs the URL of the folder of all packages' compiled files, ending in a slash.
 */
export function usedFiles(coverage: Coverage, libs: string, atLeast: number): UsedFile[] {
  const files = coverage.flatMap(({ url, functions }) => {
    const path = url.startsWith(libs) ? sourceOf(url.slice(libs.length)) : undefined;
    if (path === undefined) return [];
    const used = functions
      .map(({ functionName: name, ranges }) => ({ name, ...ranges[0]! }))
      .filter(({ name, startOffset }) => !ADDED.test(name) && (name !== '' || startOffset > 0))
      .filter(({ count }) => count >= atLeast)
      .toSorted((a, b) => a.startOffset - b.startOffset);
    if (used.length === 0) return [];
    return [{ path, functions: used.map(({ name }) => name || '(anonymous)') }];
  });
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** `logx/src/logger/core.js` is `logx/logger/core.ts`. */
function sourceOf(output: string): string | undefined {
  const [, folder, inside] = OUTPUT.exec(output) ?? [];
  if (folder === undefined || /(?:^|\/)gen\//.test(inside!)) return undefined;
  return `${folder}/${inside}.ts`;
}
