import { execFileSync } from 'node:child_process';

function hasRedis() {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Installs redis-server on Debian, where this is root; ends the process where it is not. */
export function ensureRedis() {
  if (hasRedis()) return;
  if (process.getuid?.() !== 0) {
    console.error('redis-server is missing: run this as root, which installs it, or install it');
    process.exit(1);
  }
  execFileSync('apt-get', ['update', '-q'], { stdio: 'inherit' });
  execFileSync('apt-get', ['install', '-qy', '--no-install-recommends', 'redis-server'], {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });
}
