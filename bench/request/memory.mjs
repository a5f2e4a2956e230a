// The memory of events that are kept until their requests have ended: `npm --prefix bench run buffer`. Two apps with 500
// open requests each, of which every handler has logged 400 events below the level: one keeps 200 of them, one keeps none.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.mjs';

const OPEN = 500;
const GOAL_MB = 64;
const MB = 1e6;

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));
const externals = [
  '@nestjs/*',
  'reflect-metadata',
  'rxjs',
  'nestjs-pino',
  'pino',
  'winston',
  'yaml',
];

/** The heap that open requests take, in megabytes. */
async function heldBy(variant) {
  const file = join(folder, `${variant.replaceAll(/\W+/g, '-')}.log`);
  const child = fork(join(folder, 'app.mjs'), ['fastify', variant, file], {
    execArgv: ['--expose-gc'],
  });
  try {
    const [{ port }] = await once(child, 'message');
    const memory = async () => {
      child.send('memory');
      const [{ heapUsed, external }] = await once(child, 'message');
      return heapUsed + external;
    };
    const agent = new Agent({ keepAlive: true });
    const asked = Array.from({ length: OPEN }, () => {
      const request = get({ port, host: '127.0.0.1', path: '/orders/o-17/open', agent });
      return request.on('error', () => {});
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    // The app is asked after all of them, and answers when it has handled them.
    await memory();
    const held = await memory();
    for (const request of asked) request.destroy();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return (held - (await memory())) / MB;
  } finally {
    child.kill();
  }
}

try {
  await bundle([join(here, 'app.ts')], folder, externals);
  const without = await heldBy('logx');
  const kept = (await heldBy('logx, buffer')) - without;
  console.log(
    `${OPEN} open requests: ${without.toFixed(1)} MB, and ${kept.toFixed(1)} MB for their events ` +
      `(goal ${GOAL_MB}: ${kept <= GOAL_MB ? 'yes' : 'NO'}), Node ${process.version}`,
  );
} finally {
  await rm(folder, { recursive: true });
}
