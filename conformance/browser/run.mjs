// Drives the docs page in Debian's Chromium: `npm run conformance:browser`. As root it installs
// the browser where there is none.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';

if (!existsSync('/usr/bin/chromium')) {
  if (process.getuid?.() !== 0) throw new Error('install chromium first: apt-get install chromium');
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
}
await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts']);
