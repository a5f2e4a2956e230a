import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../../tools/testing/free-port.js';
import { httpClients } from '../drain/http-load.js';
import { loadOf } from '../drain/load.js';
import { Manager } from './manager.js';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const RELOADS = 4;
const minRequests = values.quick ? 12_000 : 48_000;
/** How long a caller thinks at most: in CI something else runs beside it. */
const thinkMs = values.quick ? 160 : 40;

const program = fileURLToPath(
  new URL('../../../../conformance/pm2/node_modules/pm2/bin/pm2', import.meta.url),
);
const folder = fileURLToPath(new URL('app/', import.meta.url));
// Its socket has a short path.
const home = await mkdtemp(join(tmpdir(), 'apix-pm2-'));
const port = await freePort();
const pm2 = new Manager(program, folder, home, { PORT: String(port) });
const problems: string[] = [];

try {
  await pm2.command('start', 'ecosystem.config.cjs');
  const load = loadOf(httpClients(port), thinkMs);
  const { tally } = load;
  for (let reload = 1; reload <= RELOADS; reload += 1) {
    await pm2.command('reload', 'shop');
    while (tally.answered + tally.failed < (reload * minRequests) / RELOADS) await sleep(20);
  }
  await load.finish();
  console.log(`${tally.answered} requests answered, ${tally.failed} lost in ${RELOADS} reloads`);
  if (tally.failed > 0) problems.push(`lost: ${tally.reasons()}`);
  await pm2.command('stop', 'shop');
  const exits = await pm2.exits();
  // As PM2 counts them for `instances: 'max'`.
  const processes = cpus().length * (RELOADS + 1);
  const badly = exits.filter((exit) => !exit.startsWith('exited with code [0] '));
  if (exits.length !== processes) problems.push(`${exits.length} of ${processes} have ended`);
  if (badly.length > 0) problems.push(badly.join('; '));
  for (const mode of ['cluster', 'fork'] as const) {
    const name = `message-${mode}`;
    const instances = mode === 'cluster' ? ['-i', '1'] : [];
    const options = ['--shutdown-with-message', '--kill-timeout', '60000', '--wait-ready'];
    await pm2.command('start', 'dist/main.js', '--name', name, ...instances, ...options);
    const begun = performance.now();
    await pm2.command('stop', name);
    const ms = Math.round(performance.now() - begun);
    const last = (await pm2.exits()).at(-1) ?? 'nothing';
    console.log(`stopped by the message shutdown in ${mode} mode after ${ms} ms: ${last}`);
    if (!last.startsWith('exited with code [0] via signal [SIGINT]') || ms > 30_000) {
      problems.push(`${mode} mode with shutdown_with_message: ${last} after ${ms} ms`);
    }
  }
} finally {
  await pm2.command('kill');
  await rm(home, { recursive: true });
}
console.log(problems.length === 0 ? 'passed' : `FAILED: ${problems.join('; ')}`);
process.exit(problems.length === 0 ? 0 : 1);
