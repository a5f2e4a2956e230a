// Tries what the README says of others, on the newest versions that the registry has: `npm run conformance:compared`. A
// row that no longer holds fails, so that the tables stay true.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBundled } from '../bundle.mjs';

const folder = import.meta.dirname;
const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
// What they share with the repository, such as rxjs and grpc-js, is found there.
const options = ['--no-save', '--no-package-lock', '--legacy-peer-deps', '--no-audit', '--no-fund'];
const newest = Object.keys(dependencies).map((name) => `${name}@latest`);
execFileSync('npm', ['install', ...options, '--ignore-scripts', '--silent', ...newest], {
  cwd: folder,
  stdio: 'inherit',
});
await runBundled(folder, ['main.ts'], join(folder, 'node_modules/.cache'));
process.exit();
