// npm run demo:tour: starts the shop and drives it as its clients would.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { runBundled } from '../../../conformance/bundle.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
const nest = dirname(createRequire(import.meta.url).resolve('@nestjs/cli/package.json'));
execFileSync(process.execPath, [join(nest, 'bin/nest.js'), 'build', 'demo'], {
  cwd: root,
  env: { ...process.env, NODE_OPTIONS: '' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
await runBundled(import.meta.dirname, ['main.ts']);
