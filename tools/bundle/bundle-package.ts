import { build } from 'esbuild';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { classNamesIn, withClassNames } from './class-names.js';
import { type EntryManifest, entriesOf } from './entries.js';
import { KEPT, keepFiles, withKeptFiles } from './kept-files.js';

/** Where `tsc -b` leaves one file for each module, inside of the folder that is published. */
export const MODULES = 'dist/.modules';

/**
 * Writes the published JavaScript of a built package: one file for each entry point, and chunks of
 * what several of them share, so that each module runs once, whatever entry points an app imports.
 *
 * @throws Error when the package is not compiled, or an import inside of it leads nowhere.
 */
// Why: docs/decisions/0313
export async function bundlePackage(home: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as EntryManifest;
  const modules = join(home, MODULES);
  const dist = join(home, 'dist');
  const { outputFiles } = await build({
    absWorkingDir: modules,
    entryPoints: entriesOf(manifest),
    outbase: modules,
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    plugins: [keepFiles],
    // Else the paths of the repository's tsconfig would lead from one package into the next.
    tsconfigRaw: {},
    logLevel: 'warning',
  });
  const names = new Set(
    scriptsOf(modules).flatMap((path) => classNamesIn(readFileSync(join(modules, path), 'utf8'))),
  );
  removeFormer(dist);
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withClassNames(withKeptFiles(text, path, dist), names));
  }
  if (existsSync(join(modules, KEPT))) {
    cpSync(join(modules, KEPT), join(dist, KEPT), { recursive: true });
  }
}

/** Chunks of a former build would be published too. */
function removeFormer(dist: string): void {
  for (const path of scriptsOf(dist)) {
    if (!path.startsWith('.modules')) rmSync(join(dist, path));
  }
}

function scriptsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.js'),
  );
}
