import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { ImportGraph } from './import-cycles.js';
import { parseImports } from './parse-imports.js';

/** Folders whose contents are installed, built or generated. */
const NOT_OURS: ReadonlySet<string> = new Set(['node_modules', 'dist', 'gen']);

/** What the TypeScript and JavaScript files below a folder of the repository import of each other. */
export function readFolderGraph(root: string, folder: string): ImportGraph {
  return graphOf(new Map(sourcesBelow(root, folder)));
}

/** The graph of files by path, with their texts; imports of other files are left out. */
export function graphOf(texts: ReadonlyMap<string, string>): ImportGraph {
  return new Map(
    [...texts].map(([from, text]) => {
      const targets = new Map<string, 'type' | 'value'>();
      for (const { specifier, typeOnly } of parseImports(text).imports) {
        const to = fileOf(texts, posix.join(posix.dirname(from), specifier));
        if (!specifier.startsWith('.') || to === undefined) continue;
        if (!typeOnly || !targets.has(to)) targets.set(to, typeOnly ? 'type' : 'value');
      }
      return [from, targets];
    }),
  );
}

/** `a.js` is written for `a.ts`, `a.mjs` for `a.mts`. */
function fileOf(texts: ReadonlyMap<string, string>, path: string): string | undefined {
  return [path, path.replace(/\.(m?)js$/, '.$1ts')].find((candidate) => texts.has(candidate));
}

function* sourcesBelow(root: string, folder: string): Generator<[string, string]> {
  if (!existsSync(join(root, folder))) return;
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!NOT_OURS.has(entry.name)) yield* sourcesBelow(root, path);
    } else if (/\.m?[jt]s$/.test(entry.name)) {
      yield [path, readFileSync(join(root, path), 'utf8')];
    }
  }
}
