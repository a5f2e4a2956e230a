import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Hop, type Stack } from './hop.js';
import type { Ledger } from './ledger.js';
import { Load } from './load.js';

const USAGE = `Calls go A -> B -> C, each a process, and B is restarted under load. There is an A for each implementation of
gRPC. Over grpc-js A repeats idempotent calls: none of them may fail. What it does not repeat, over http2 all
calls, C may not have twice, and only SIGKILL may lose it.

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
const STACKS: readonly Stack[] = ['grpc-js', 'http2'];
const restarts = Number(values.restarts);
const begun = Date.now();
const tried: Trial[] = [];
const c = await Hop.start({ name: 'C', had: (id) => tried.forEach(({ load }) => load.had(id)) });
let b = await Hop.start({ name: 'B', next: c.port });
const { port } = b;
for (const stack of STACKS) {
  const a = await Hop.start({ name: 'A', next: port, stack });
  tried.push({ stack, a, load: new Load(a, stack), failed: { SIGTERM: 0, SIGKILL: 0 } });
}

for (let round = 0; round < restarts; round++) {
  await sleep(SERVING_MS);
  const signal = round % 2 === 0 ? 'SIGTERM' : 'SIGKILL';
  const before = tried.map(lost);
  await b.end(signal);
  b = await Hop.start({ name: 'B', port, next: c.port });
  for (const [at, trial] of tried.entries()) trial.failed[signal] += lost(trial) - before[at]!;
}
await sleep(SERVING_MS);
await Promise.all(tried.map(({ load }) => load.finish()));
// What C has said before it ends has been read when its output has ended.
await Promise.all([...tried.map(({ a }) => a), b, c].map((hop) => hop.end('SIGTERM')));

const row = (kind: string, cells: readonly (string | number)[]): void =>
  console.log(kind.padEnd(24) + cells.map((cell) => String(cell).padStart(11)).join(''));
row('', ['calls', 'failed', 'had twice']);
for (const trial of tried) {
  const { stack, load, failed } = trial;
  const reasons = singleOf(trial).map((ledger) => ledger.reasons());
  for (const [kind, { asked, failures, repeated }] of [
    ['idempotent', load.idempotent],
    ['not idempotent', load.once],
  ] as const) {
    row(`${stack}, ${kind}`, [asked, failures, repeated]);
  }
  console.log(
    `  failed of those that are not repeated: ${failed.SIGTERM} around SIGTERM, ` +
      `${failed.SIGKILL} around SIGKILL (${reasons.filter(Boolean).join(', ')})`,
  );
}
console.log(`${restarts} restarts of B in ${((Date.now() - begun) / 1_000).toFixed(0)} s`);

const problems = tried.flatMap(problemsOf);
console.log(problems.length === 0 ? 'passed' : `FAILED: ${problems.join('; ')}`);
process.exit(problems.length === 0 ? 0 : 1);

interface Trial {
  readonly stack: Stack;
  readonly a: Hop;
  readonly load: Load;
  /** Calls that are not repeated. */
  readonly failed: { SIGTERM: number; SIGKILL: number };
}

/** What is not repeated. */
function singleOf({ stack, load: { idempotent, once } }: Trial): readonly Ledger[] {
  return stack === 'http2' ? [idempotent, once] : [once];
}

function lost(trial: Trial): number {
  return singleOf(trial).reduce((sum, { failures }) => sum + failures, 0);
}

function problemsOf(trial: Trial): readonly string[] {
  const { stack, load, failed } = trial;
  const { idempotent, once } = load;
  const repeated = singleOf(trial).reduce((sum, ledger) => sum + ledger.repeated, 0);
  return [
    stack === 'grpc-js' &&
      idempotent.failures > 0 &&
      `${idempotent.failures} idempotent calls failed: ${idempotent.reasons()}`,
    repeated > 0 && `${repeated} calls were repeated that may not be`,
    failed.SIGTERM > 0 && `${failed.SIGTERM} calls failed around a restart by SIGTERM`,
    idempotent.invented + once.invented > 0 && 'calls were answered that C has not had',
    restarts > 1 && once.failures === 0 && 'no call was lost: nothing was put to the test',
  ]
    .filter((problem) => problem !== false)
    .map((problem) => `over ${stack}: ${problem}`);
}
