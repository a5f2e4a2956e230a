// What the import of each entry point of the packages adds to that of its peers:
// `npm --prefix bench run start -- [rounds] [--only TEXT] [--against CHECKOUT]`.
// Both checkouts are built (`npm run build`) and have their node_modules. Node loads the packages
// as they are published, file by file. The peers of an entry point are imported first, so what a
// package loads of its own dependencies counts, and what it loads deep inside of a peer.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { entriesOf, reachOf, runAt } from './entries.mjs';

const GOAL = 0.5;
const nothing = new URL('nothing.mjs', import.meta.url).href;
const here = fileURLToPath(new URL('.', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, against: { type: 'string' } },
});
const rounds = Number(positionals[0] ?? 5);
const now = join(here, '..', '..');
const before = values.against === undefined ? undefined : resolve(values.against);
const first = before ?? now;

const entries = entriesOf(first).filter((entry) => entry.includes(values.only));
const subjects = entries.map((entry) => {
  // The same peers for both, so that a peer that is no longer loaded is not counted as a gain.
  const { peers, own } = reachOf(first, entry);
  const runs = [{ root: first, own }];
  if (before !== undefined) runs.push({ root: now, own: reachOf(now, entry).own });
  return { entry, runs: runs.map((run) => ({ ...run, results: [] })), peers };
});
// One of each in turn, so that a noisy moment of the machine hits all of them.
for (let round = 0; round < rounds; round++) {
  for (const { entry, runs, peers } of subjects) {
    for (const run of runs)
      run.results.push(runAt(run.root, 'measure.mjs', [nothing, entry, ...peers]));
  }
}
report();

function report() {
  console.log(
    `What an import adds to that of its peers; medians of ${rounds} interleaved runs, each in a ` +
      `process of its own, Node ${process.version}${before === undefined ? '' : '; before → now'}`,
  );
  console.table(Object.fromEntries(subjects.map(({ entry, runs }) => [entry, rowOf(runs)])));
  const total = (key, run) =>
    subjects.reduce((sum, { runs }) => sum + (runs[run] ? median(runs[run].results, key) : 0), 0);
  for (const key of ['ms', 'cpuMs', 'heap', 'rss']) {
    const then = total(key, 0);
    const ratio = before === undefined ? '' : goalOf(total(key, 1) / then);
    console.log(`${key}, all entry points together: ${then.toFixed(1)}${ratio}`);
  }
}

function goalOf(ratio) {
  const verdict = ratio <= GOAL ? 'yes' : 'NO';
  return `, now × ${ratio.toFixed(2)} (goal ≤ ${GOAL}: ${verdict})`;
}

function rowOf(runs) {
  const both = (of) => runs.map(of).join(' → ');
  const measured = (key) => {
    const [then, after] = runs.map(({ results }) => median(results, key));
    return after === undefined ? '' : Number((after / then).toFixed(2));
  };
  return {
    files: both(({ own }) => own),
    ms: both(({ results }) => median(results, 'ms').toFixed(0)),
    'CPU ms': both(({ results }) => median(results, 'cpuMs').toFixed(0)),
    'heap MB': both(({ results }) => median(results, 'heap').toFixed(2)),
    'RSS MB': both(({ results }) => median(results, 'rss').toFixed(1)),
    ...(runs.length > 1 && { '× ms': measured('ms'), '× heap': measured('heap') }),
  };
}

function median(results, key) {
  return results.map((it) => it[key]).toSorted((a, b) => a - b)[Math.floor(results.length / 2)];
}
