// The cost of events that are kept until their work has ended: `npm --prefix bench run buffer`.
// Memory: two apps with 500 open requests each, of which every handler has logged 400 events below the level; one keeps as
// many as it may, one keeps none. CPU: jobs with five such events, the best of many rounds, since a machine that does
// something else only adds to it. `npm --prefix bench run request -- --only noted` measures whole requests.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, REQUEST_EXTERNALS } from '../bundle.mjs';

const OPEN = 500;
const GOAL_MB = 64;
const MB = 1e6;

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));

const ROUNDS = 30;
const JOBS = 10_000;
const EVENTS = 5;

/** The microseconds of CPU of an event that is kept, and of one that is not. */
async function eventCosts({ createLogger, customSink, fromContext, workScope }) {
  const best = { off: [Infinity, Infinity], on: [Infinity, Infinity] };
  const sinks = [customSink({ write() {} })];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, times] of Object.entries(best)) {
      const scope = workScope(createLogger({ sinks, bufferOnFailure: name === 'on' }));
      for (const which of [0, 1]) {
        const log = () => {
          for (let step = 0; step < which * EVENTS; step++) {
            fromContext().debug('Step {Step} of {OrderId}: {Sku}', step, 'o-17', 'A-1');
          }
        };
        const before = process.cpuUsage();
        for (let job = 0; job < JOBS; job++) scope.run('task', 'pack', log);
        const { user, system } = process.cpuUsage(before);
        times[which] = Math.min(times[which], (user + system) / JOBS);
      }
    }
  }
  return Object.values(best).map(([none, all]) => (all - none) / EVENTS);
}

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
      const [answer] = await once(child, 'message');
      return answer;
    };
    const before = await memory();
    const requests = Array.from({ length: OPEN }, () =>
      get({ port, host: '127.0.0.1', path: '/orders/o-17/open' }).on('error', () => {}),
    );
    let held = before;
    while (held.opened < OPEN) held = await memory();
    for (const request of requests) request.destroy();
    return (held.heapUsed + held.external - before.heapUsed - before.external) / MB;
  } finally {
    child.kill();
  }
}

try {
  await bundle([join(here, 'app.ts')], folder, REQUEST_EXTERNALS);
  const without = await heldBy('logx');
  const kept = (await heldBy('logx, buffer')) - without;
  console.log(
    `${OPEN} open requests: ${without.toFixed(1)} MB, and ${kept.toFixed(1)} MB for their events ` +
      `(goal ${GOAL_MB}: ${kept <= GOAL_MB ? 'yes' : 'NO'}), Node ${process.version}`,
  );
  await bundle([join(here, '../../libs/logx/src/core/index.ts')], folder, ['pino', 'yaml']);
  const [off, on] = await eventCosts(await import(join(folder, 'index.mjs')));
  console.log(
    `an event that is kept takes ${on.toFixed(2)} µs, one that is not ${off.toFixed(2)} µs`,
  );
} finally {
  await rm(folder, { recursive: true });
}
