import type { Plugin } from 'esbuild';
import { dirname, relative } from 'node:path';

/** The folder of modules that keep their files: Node's own message tells their names. */
// Why: docs/decisions/0240
export const KEPT = 'npm-install';

const MARK = 'kept-file:';

/** Leaves the imports of kept files as they are, marked: it is not known yet from where they are. */
export const keepFiles: Plugin = {
  name: 'kept files',
  setup(bundler) {
    bundler.onResolve({ filter: new RegExp(`^\\.{1,2}/(?:.*/)?${KEPT}/`) }, ({ path }) => ({
      path: MARK + path.slice(path.indexOf(KEPT)),
      external: true,
      sideEffects: false,
    }));
  },
};

/**
 * The text of a written file with marked imports led to where the kept files are.
 *
 * @param file its place in `dist`, both absolute.
 */
export function withKeptFiles(text: string, file: string, dist: string): string {
  const way = relative(dirname(file), dist).replaceAll('\\', '/') || '.';
  return text.replaceAll(`"${MARK}`, way.startsWith('.') ? `"${way}/` : `"./${way}/`);
}
