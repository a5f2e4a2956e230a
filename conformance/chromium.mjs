import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs Debian's Chromium where there is none, as root. */
export function installChromium() {
  if (existsSync('/usr/bin/chromium')) return;
  if (process.getuid?.() !== 0) throw new Error('install chromium first: apt-get install chromium');
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  execFileSync('apt-get', ['update', '-qq'], options);
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
}
