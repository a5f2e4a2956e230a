import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Hop } from './hop.js';
import { Load } from './load.js';

const USAGE = `Calls go A -> B -> C, each a process, and B is restarted under load. A repeats idempotent
calls: none of them may fail. It repeats no others: C may have none of them twice.

  --restarts <n>   half of them by SIGTERM, half by SIGKILL (default: 20)
`;

const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

/** How long B serves between two restarts. */
const SERVING_MS = 500;
const restarts = Number(values.restarts);
const begun = Date.now();
let load: Load | undefined;
const c = await Hop.start('C', 0, 0, (id) => load?.had(id));
let b = await Hop.start('B', 0, c.port);
const { port } = b;
const a = await Hop.start('A', 0, port);
load = new Load(a.port);
const { idempotent, once } = load;

const failed = { SIGTERM: 0, SIGKILL: 0 };
for (let round = 0; round < restarts; round++) {
  await sleep(SERVING_MS);
  const signal = round % 2 === 0 ? 'SIGTERM' : 'SIGKILL';
  const before = once.failures;
  await b.end(signal);
  b = await Hop.start('B', port, c.port);
  failed[signal] += once.failures - before;
}
await sleep(SERVING_MS);
await load.finish();
// What C has said before it ends has been read when its output has ended.
await Promise.all([a, b, c].map((hop) => hop.end('SIGTERM')));

const row = (kind: string, cells: readonly (string | number)[]): void =>
  console.log(kind.padEnd(16) + cells.map((cell) => String(cell).padStart(11)).join(''));
row('', ['calls', 'failed', 'had twice']);
row('idempotent', [idempotent.asked, idempotent.failures, idempotent.repeated]);
row('not idempotent', [once.asked, once.failures, once.repeated]);
console.log(
  `${restarts} restarts of B in ${((Date.now() - begun) / 1_000).toFixed(0)} s; not idempotent calls ` +
    `that failed: ${failed.SIGTERM} around SIGTERM, ${failed.SIGKILL} around SIGKILL (${once.reasons()})`,
);

const problems = [
  idempotent.failures > 0 &&
    `${idempotent.failures} idempotent calls failed: ${idempotent.reasons()}`,
  once.repeated > 0 && `${once.repeated} calls were repeated that are not idempotent`,
  failed.SIGTERM > 0 && `${failed.SIGTERM} calls failed around a restart by SIGTERM`,
  idempotent.invented + once.invented > 0 && 'calls were answered that C has not had',
  restarts > 1 && once.failures === 0 && 'no call was lost: nothing was put to the test',
].filter((problem) => problem !== false);
console.log(problems.length === 0 ? 'passed' : `FAILED: ${problems.join('; ')}`);
process.exit(problems.length === 0 ? 0 : 1);
