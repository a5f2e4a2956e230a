// Runs the conformance test of the cron expressions: `npm run conformance:cron -- --from 2016`.
// Node 20 does not strip types, so the sources are bundled into node_modules/.cache first.
import { build } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const outfile = join(root, 'node_modules/.cache/apix-conformance/cron.mjs');
await build({
  entryPoints: [join(here, 'main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['croner'],
  tsconfig: join(root, 'tsconfig.json'),
  logLevel: 'warning',
});
await import(pathToFileURL(outfile).href);
