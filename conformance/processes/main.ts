import { parseArgs } from 'node:util';
import { countScenario } from './counts.js';
import { killScenario } from './kills.js';
import { logScenario } from './logs.js';
import { manyScenario } from './many-processes.js';
import { throughputScenario } from './throughput.js';
import { protocols } from '../drain/protocols.js';
import { type Result, rollScenario } from './rolls.js';

const USAGE = `Replaces and kills the processes of apps under load and counts what is lost. Loopback only.

  --quick         1 rolling restart each instead of 20, of fewer protocols, by callers who think longer
  --restarts <n>  this many restarts each
  --kills <n>     this many processes killed each, instead of 100; 10 rotations of a log file for each
  --only <text>   only scenarios with this in their name
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    restarts: { type: 'string' },
    kills: { type: 'string' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const rolls = Number(values.restarts ?? (values.quick ? 1 : 20));
/** In CI something else runs next to it. */
const thinkMs = values.quick ? 160 : 40;
const platforms = values.quick
  ? protocols.filter(({ name }) => ['express', 'grpc'].includes(name))
  : protocols;

const kills = Number(values.kills ?? (values.quick ? 1 : 100));
const logPlan = { kills, rotations: 10 * kills, thinkMs };

type Scenario = readonly [name: string, run: () => Promise<Result>];

const WORDS = { cluster: 'node:cluster', reusePort: 'reusePort', pm2: 'PM2 reload' } as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const HAS_REUSE_PORT = major > 22 || (major === 22 && minor >= 12);

/** What the same app is compared with. PM2 shares HTTP ports alone. */
function others(name: string): readonly (keyof typeof WORDS)[] {
  if (values.quick || !['express', 'fastify', 'grpc'].includes(name)) return [];
  if (name === 'grpc') return ['cluster'];
  return HAS_REUSE_PORT ? ['cluster', 'pm2', 'reusePort'] : ['cluster', 'pm2'];
}

const all: readonly Scenario[] = [
  ...platforms.map((protocol): Scenario => [
    `${protocol.name}: rolling restarts`,
    () => rollScenario(protocol, { way: 'hostx', rolls, thinkMs, mayLose: false }),
  ]),
  ...platforms.flatMap((protocol): Scenario[] =>
    others(protocol.name).map((way) => [
      `${protocol.name}: ${WORDS[way]}`,
      () => rollScenario(protocol, { way, rolls, thinkMs, mayLose: true }),
    ]),
  ),
  ['express: killed', () => killScenario(kills, thinkMs)],
  ['log lines on a pipe', () => logScenario('pipe', logPlan)],
  ['log lines in a rotating file', () => logScenario('file', logPlan)],
  ...(values.quick
    ? []
    : [
        ['16 processes', () => manyScenario(thinkMs)] as const,
        ['throughput', () => throughputScenario(15, 2_000)] as const,
      ]),
  ['metrics', () => countScenario({ rolls, kills: Math.ceil(kills / 5), thinkMs })],
];
const scenarios = all.filter(([name]) => name.includes(values.only));

function row(cells: readonly (string | number)[]): string {
  const widths = [32, 10, 9, 7, 7, 8, 9];
  return cells
    .map((cell, at) => String(cell)[at === 0 ? 'padEnd' : 'padStart'](widths[at]!))
    .join('');
}

console.log(row(['', 'restarts', 'answered', 'lost', 'moved', 'seconds', 'parent']));
let passed = 0;
for (const [name, run] of scenarios) {
  const begun = Date.now();
  const { restarts, answered, lost, moved, parent, problems, reasons } = await run();
  const seconds = ((Date.now() - begun) / 1_000).toFixed(1);
  const verdict = problems.length === 0 ? 'passed' : `FAILED: ${problems.join('; ')}`;
  console.log(`${row([name, restarts, answered, lost, moved, seconds, parent])}  ${verdict}`);
  if (reasons !== '') console.log(`${' '.repeat(4)}lost: ${reasons}`);
  if (problems.length === 0) passed += 1;
}
console.log(`\n${passed} passed, ${scenarios.length - passed} failed`);
process.exit(passed === scenarios.length && passed > 0 ? 0 : 1);
