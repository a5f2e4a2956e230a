// Compiles and routes every google.api.http rule of npm google-proto-files: `npm run conformance:rules`.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';

const here = import.meta.dirname;
const root = join(here, '../..');
const cache = join(root, 'node_modules/.cache/apix-conformance/rules');
mkdirSync(cache, { recursive: true });

installed(here);
const buf = join(root, 'node_modules/@bufbuild/buf/bin/buf');
// Its copies of the well-known types do not compile; buf has them built in.
const config = { version: 'v2', modules: [{ path: '.', excludes: ['google/protobuf'] }] };
const output = ['-o', join(cache, 'google.binpb'), '--exclude-source-info'];
execFileSync(process.execPath, [buf, 'build', '--config', JSON.stringify(config), ...output], {
  cwd: join(here, 'node_modules/google-proto-files'),
  stdio: 'inherit',
});
await runBundled(here, ['main.ts']);
