import { parseArgs } from 'node:util';
import { randomCases, transitionCases, zones } from '../../libs/cron/src/schedule/cases.fixture.js';
import { type Case, judge } from '../../libs/cron/src/schedule/judge.fixture.js';
import { seededRandom } from '../../libs/cron/src/schedule/random-expression.fixture.js';

const USAGE = `Compares the cron expressions with an oracle that walks minute by minute.

  --from <year>         begin of the ten years (default: five before this one)
  --expressions <n>     random expressions (default: 10000)
  --seed <n>            of the random expressions (default: 1)
  --quick               every tenth zone and 1000 expressions, in some seconds
`;

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: String(new Date().getUTCFullYear() - 5) },
    expressions: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const from = Number(values.from);
const { quick } = values;
const names = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter(
  (_, index) => !quick || index % 10 === 0,
);
const expressions = Number(values.expressions || (quick ? 1_000 : 10_000));
const all = [...zones(from, from + 10, names)];
const transitions = all.reduce((sum, { offsets }) => sum + offsets.length - 1, 0);
const mismatches: string[] = [];

function judgeAll(cases: Iterable<Case>): { readonly cases: number; readonly compared: number } {
  let count = 0;
  let compared = 0;
  for (const one of cases) {
    const verdict = judge(one);
    count++;
    compared += verdict.compared;
    if (verdict.mismatch !== null) mismatches.push(verdict.mismatch);
  }
  return { cases: count, compared };
}

const begun = performance.now();
const around = judgeAll(all.flatMap((zone) => [...transitionCases(zone)]));
const random = judgeAll(randomCases(all, expressions, 50, seededRandom(Number(values.seed))));
const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
const { node, icu, tz } = process.versions;

process.stdout.write(`Node ${node}, ICU ${icu}, time zones ${tz}, ${from} to ${from + 9}
transitions: ${transitions} in ${all.length} zones, ${around.cases} expressions, ${around.compared} times compared
random:      ${random.cases} expressions (seed ${values.seed}), ${random.compared} times compared
mismatches:  ${mismatches.length} (${seconds} s)
`);
for (const mismatch of mismatches.slice(0, 20)) process.stdout.write(`  ${mismatch}\n`);
process.exitCode = mismatches.length === 0 ? 0 : 1;
