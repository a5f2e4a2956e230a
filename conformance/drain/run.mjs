// Runs the conformance test of the drain: `npm run conformance:drain -- --quick`.
// Node 20 does not strip types, so the sources are bundled into node_modules/.cache first.
import { transformFile } from '@swc/core';
import { build } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const outdir = join(root, 'node_modules/.cache/apix-conformance');
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
await build({
  entryPoints: [join(here, 'main.ts'), join(here, 'app.ts')],
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['@nestjs/*', '@grpc/*', '@bufbuild/*', 'reflect-metadata', 'rxjs', 'ws', 'yaml'],
  tsconfig: join(root, 'tsconfig.json'),
  plugins: [decorators],
  logLevel: 'warning',
});
await import(pathToFileURL(join(outdir, 'main.mjs')).href);
