// Node 20 does not strip types, so conformance tests are bundled into node_modules/.cache first.
import { transformFile } from '@swc/core';
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** esbuild alone does not emit the types of constructor parameters, by which Nest injects. */
const decorators = {
  name: 'decorators',
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { code } = await transformFile(path, { configFile: join(root, '.swcrc') });
      return { contents: code, loader: 'js' };
    });
  },
};

/** Where the bundles of a folder go. */
export function bundlesOf(folder) {
  return join(root, 'node_modules/.cache/apix-conformance', basename(folder));
}

/** Bundles files of a folder and runs its `main.ts`, which imports packages from where the bundle is. */
export async function runBundled(folder, files, outdir = bundlesOf(folder)) {
  await bundle({
    entryPoints: files.map((file) => join(folder, file)),
    outdir,
    outExtension: { '.js': '.mjs' },
  });
  await import(pathToFileURL(join(outdir, 'main.mjs')).href);
}

/** Bundles sources of the repository, with what they import of it. */
export async function bundle(files) {
  await build({
    ...files,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: [
      '@nestjs/*',
      '@grpc/*',
      '@bufbuild/*',
      'ajv',
      'ajv/*',
      'ajv-formats',
      '@electric-sql/*',
      'bull',
      'bullmq',
      'cron',
      'drizzle-orm',
      'kysely',
      '@opentelemetry/*',
      'pg',
      'pino',
      'pglite-prisma-adapter',
      'playwright-core',
      '@prisma/*',
      'reflect-metadata',
      'rxjs',
      'typeorm',
      'ws',
      'yaml',
    ],
    tsconfig: join(root, 'tsconfig.json'),
    plugins: [decorators],
    logLevel: 'warning',
  });
}

/** Builds the demo into dist/, as `npx nest build demo` does. */
export function buildDemo() {
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  execFileSync(process.execPath, [nest, 'build', 'demo'], { cwd: root, stdio: 'pipe' });
}
