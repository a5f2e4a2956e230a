// Shares cron jobs among three processes over a real Redis, and kills one of them again and again:
// `npm run conformance:bullmq -- --ticks 60`. As root on Debian it installs redis-server.
import { execFileSync } from 'node:child_process';
import { runBundled } from '../bundle.mjs';

function hasRedis() {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

if (!hasRedis()) {
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
await runBundled(import.meta.dirname, ['main.ts', 'replica.ts']);
