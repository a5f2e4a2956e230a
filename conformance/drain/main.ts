import { parseArgs } from 'node:util';
import { protocols } from './protocols.js';
import { type Result, type Scenario, run } from './scenario.js';

const USAGE = `Restarts instances under load and counts what is lost. Loopback only.

  --quick         3 restarts and 3,000 requests each instead of 20 and 50,000, by callers who think longer; one
                  control
  --restarts <n>  this many restarts each
  --only <text>   only scenarios with this in their name
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    restarts: { type: 'string' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const restarts = Number(values.restarts ?? (values.quick ? 3 : 20));
const minRequests = values.quick ? 3_000 : 50_000;
/**
 * In CI something else runs beside it. The drain has to be several times as long: a connection whose caller has not asked
 * by its end is closed, perhaps in the moment in which the caller asks.
 */
const thinkMs = values.quick ? 240 : 40;
const scenarios = protocols
  .flatMap(({ name, platform, load, controlLoad }, at): Scenario[] => {
    const own = { restarts, minRequests, load, thinkMs, mustLose: false } as const;
    const drained = { platform, mode: 'host', drainMs: 700 } as const;
    const control = controlLoad && {
      ...own,
      name: `${name}: stock Nest (control)`,
      kind: { platform, mode: 'stock' as const, drainMs: 0 },
      shape: 'rolling' as const,
      restarts: values.quick ? 1 : 2,
      minRequests: 0,
      load: controlLoad,
      mustLose: true,
    };
    return [
      ...(control === null || (values.quick && at > 0) ? [] : [control]),
      { ...own, name: `${name}: rolling restarts`, kind: drained, shape: 'rolling' },
      {
        ...own,
        name: `${name}: socket activation`,
        kind: { ...drained, drainMs: values.quick ? 700 : 300 },
        shape: 'activated',
        minRequests: values.quick ? 1_000 : 15_000,
      },
    ];
  })
  .filter(({ name }) => name.includes(values.only));

function row(cells: readonly (string | number)[]): string {
  const widths = [34, 9, 9, 7, 7, 8];
  return cells
    .map((cell, at) => String(cell)[at === 0 ? 'padEnd' : 'padStart'](widths[at]!))
    .join('');
}

function report({ scenario, answered, failed, moved, seconds, problems, reasons }: Result): string {
  const cells = [scenario.name, scenario.restarts, answered, failed, moved, seconds.toFixed(1)];
  const verdict = problems.length === 0 ? 'passed' : `FAILED: ${problems.join('; ')}`;
  return `${row(cells)}  ${verdict}${reasons === '' ? '' : `\n    lost: ${reasons}`}`;
}

console.log(row(['', 'restarts', 'answered', 'failed', 'moved', 'seconds']));
const failures: string[] = [];
for (const scenario of scenarios) {
  const result = await run(scenario);
  const said = report(result);
  console.log(said);
  if (result.problems.length > 0) failures.push(said);
}
// Once more at the end, which is what is left of a long output.
console.log(['', ...failures, ''].join('\n'));
const passed = scenarios.length - failures.length;
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 && passed > 0 ? 0 : 1);
