import { join } from 'node:path';
import { build } from 'esbuild';

/** What the apps of `request` load from node_modules. */
export const REQUEST_EXTERNALS = [
  '@nestjs/*',
  'reflect-metadata',
  'rxjs',
  'nestjs-pino',
  'pino',
  'winston',
  'yaml',
];

/**
 * Bundles sources with what they import of the repository, or of another `checkout` of it, into
 * `<name>.mjs` of a folder, so that Node runs them as what is published would run. What is
 * `external` is loaded from node_modules.
 */
export async function bundle(files, folder, external, checkout = join(import.meta.dirname, '..')) {
  await build({
    entryPoints: files,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external,
    tsconfig: join(checkout, 'tsconfig.json'),
    logLevel: 'error',
  });
}
