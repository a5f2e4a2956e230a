import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startRedis } from './redis.mjs';
import { cleanEnv } from './shell.mjs';

/** Starts what was built, as in production, over an empty Redis; resolves when it answers. */
export async function startApp(folder, env = {}) {
  const redis = await startRedis();
  const [port, grpcPort] = [await freePort(), await freePort()];
  const ports = { PORT: port, GRPC_PORT: grpcPort, REDIS_PORT: redis.port };
  const own = Object.fromEntries(Object.entries(ports).map(([key, value]) => [key, String(value)]));
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: folder,
    env: { ...cleanEnv, NO_COLOR: '1', NODE_ENV: 'production', ...own, ...env },
  });
  const app = { url: `http://127.0.0.1:${port}`, port, grpcPort, redis, output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (app.output += text));
  }
  const codes = [];
  const closed = once(child, 'close').then(([exit, signal]) => codes.push(exit ?? signal));
  while (codes.length === 0 && !(await answers(app.url))) await sleep(50);
  if (codes.length > 0) {
    await redis.stop();
    throw new Error(`the app ended with ${codes[0]} at its start\n${app.output}`);
  }
  return Object.assign(app, {
    /** Asks it to end, and says how it did: an exit code, or a signal. */
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      await closed;
      return codes[0];
    },
    signal: (signal) => child.kill(signal),
    ended: () => closed.then(() => codes[0]),
    async remove() {
      if (codes.length === 0) child.kill('SIGKILL');
      await closed;
      await redis.stop();
    },
  });
}

async function answers(url) {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}
