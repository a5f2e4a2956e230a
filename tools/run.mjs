// Runs a TypeScript tool of this folder: `node tools/run.mjs generate --check`.
// Node 20 does not strip types, so the tool is bundled into node_modules/.cache first.
import { build } from 'esbuild';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const [tool = ''] = process.argv.splice(2, 1);
const outfile = join(root, 'node_modules/.cache/apix-tools', `${tool}.mjs`);
await build({
  entryPoints: [join(root, 'tools', tool, 'main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
});
await import(pathToFileURL(outfile).href);
