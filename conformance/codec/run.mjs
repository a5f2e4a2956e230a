// Compares the codec with protobuf-es over types, values and documents that are made from a seed:
// `npm run conformance:codec -- --cases 1000000 --seed 1`. One worker for each core.
//   --only <world>/<case>   one case alone, as the output names it
import { build } from 'esbuild';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const here = import.meta.dirname;
const root = join(here, '../..');
const file = join(root, 'node_modules/.cache/apix-conformance/codec/worker.mjs');
await build({
  entryPoints: [join(here, 'worker.ts')],
  outfile: file,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['@bufbuild/*', '@nestjs/*', 'reflect-metadata', 'rxjs'],
  tsconfig: join(root, 'tsconfig.json'),
  logLevel: 'warning',
});

const count = Number(values.cases);
const seed = Number(values.seed);
const begun = performance.now();
const workers = values.only === undefined ? availableParallelism() : 1;
const share = Math.ceil(count / workers);
const reports = await Promise.all(
  Array.from({ length: workers }, (_, at) =>
    reportOf({
      seed: seed * 101 + at,
      count: Math.min(share, count - at * share),
      only: values.only,
    }),
  ),
);

const counts = sum(reports.map(({ verdicts }) => verdicts));
const refusals = sum(reports.map((report) => report.refusals));
for (const [name, times] of [...counts].toSorted(([a], [b]) => a.localeCompare(b)))
  console.log(`  ${name}: ${times}`);
console.log('documented differences:');
for (const [name, times] of [...refusals].toSorted(([a], [b]) => a.localeCompare(b)))
  console.log(`  ${name}: ${times}`);
const mistakes = reports.flatMap((report) => report.mistakes);
for (const { place, way, type, problem, input } of mistakes) {
  console.log(`WRONG ${place} ${way} ${type}: ${problem}\n${input}\n`);
}
const cases = reports.reduce((all, report) => all + report.cases, 0);
const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
console.log(
  `${cases} cases of seed ${seed}, ${mistakes.length} undocumented differences (${seconds} s)`,
);
process.exitCode =
  mistakes.length === 0 && cases === (values.only === undefined ? count : 1) ? 0 : 1;

function reportOf(workerData) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData });
    worker.once('message', resolve).once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a worker ended with ${code} and no report`)));
  });
}

function sum(maps) {
  const all = new Map();
  for (const [name, times] of maps.flatMap((map) => [...map])) {
    all.set(name, (all.get(name) ?? 0) + times);
  }
  return all;
}
