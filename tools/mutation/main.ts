/**
 * Breaks one place of a package after the other and runs the spec files that reach it:
 * `npm run mutation -- --package authz --seed 1 --sample 150 [--file part-of-a-path] [--specs 12] [--list]`.
 *
 * A mutant is killed when a spec file fails or hangs. The results are kept in node_modules/.cache, so a run
 * that was ended goes on where it was; `--again` begins anew. Not in CI: a mutant takes some seconds.
 *
 * Stryker does the same and more; it needs Node 22 and has no samples. Texts of errors are mutated too: read
 * the survivors, and say of each why it may live.
 */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutant, mutantsOf, mutated } from './mutants.js';
import { filesIn, ImportGraph } from './related-specs.js';
import { Report, type Result, summaryOf } from './report.js';
import { sampleOf } from './sample.js';
import { type Outcome, Sandbox } from './sandbox.js';

/** A mutant that makes a loop endless is given up after that; a spec file takes a fraction of it. */
const TIMEOUT_MS = 180_000;

const { values } = parseArgs({
  options: {
    package: { type: 'string' },
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '150' },
    file: { type: 'string', default: '' },
    specs: { type: 'string', default: '12' },
    list: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
  },
});
const { package: name, seed, sample, file: part } = values;
if (name === undefined) throw new Error('name a package: --package authz');
const root = resolve(import.meta.dirname, '../../..');

/** What a user of the package runs. */
const files = filesIn(join(root, 'libs', name, 'src'))
  .map((file) => relative(root, file))
  .filter((file) => !/\.(?:spec|fixture|type-spec)\.ts$/.test(file) && file.includes(part))
  .toSorted();
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const all = files.flatMap((file) => mutantsOf(file, texts.get(file)!));
const chosen = sampleOf(all, Number(sample), Number(seed));
console.log(
  `${name}: ${chosen.length} of ${all.length} mutants in ${files.length} files, seed ${seed}`,
);
if (values.list) {
  for (const { id, file, line, kind, before, after } of chosen) {
    console.log(`${id} ${file}:${line} ${kind}: ${before.slice(0, 60)} -> ${after}`);
  }
} else {
  console.log(summaryOf(await tried(chosen)));
}

async function tried(mutants: readonly Mutant[]): Promise<Result[]> {
  const report = new Report(join(root, 'node_modules/.cache/apix-mutation', `${name}.json`));
  const graph = new ImportGraph(root);
  const sandbox = new Sandbox(root);
  const end = (): never => {
    sandbox.remove();
    process.exit(1);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  const results: Result[] = [];
  const sound = new Set<string>();
  try {
    for (const mutant of mutants) {
      const known = values.again ? undefined : report.of(mutant);
      const result = known ?? (await tryOne(mutant, graph, sandbox, sound));
      if (known === undefined) report.add(result);
      results.push(result);
      console.log(
        `${results.length}/${mutants.length} ${result.fate} ${mutant.file}:${mutant.line} ` +
          `${mutant.kind}, ${result.seconds.toFixed(1)} s`,
      );
    }
  } finally {
    sandbox.remove();
  }
  return results;
}

async function tryOne(
  mutant: Mutant,
  graph: ImportGraph,
  sandbox: Sandbox,
  sound: Set<string>,
): Promise<Result> {
  const specs = graph.specsOf(mutant.file).slice(0, Number(values.specs));
  if (specs.length === 0) return { ...mutant, fate: 'untested', specs, seconds: 0 };
  await checkSound(specs, sandbox, sound);
  const text = texts.get(mutant.file)!;
  const begun = Date.now();
  sandbox.write(mutant.file, mutated(text, mutant));
  const outcome = await outcomeOf(specs, sandbox);
  sandbox.write(mutant.file, text);
  const fate = { passed: 'survived', failed: 'killed', timeout: 'timeout' } as const;
  return { ...mutant, fate: fate[outcome], specs, seconds: (Date.now() - begun) / 1_000 };
}

/** The nearest spec files first, for most mutants die of those and Jest would begin with the longest. */
async function outcomeOf(specs: readonly string[], sandbox: Sandbox): Promise<Outcome> {
  for (const batch of [specs.slice(0, 2), specs.slice(2, 5), specs.slice(5)]) {
    if (batch.length === 0) continue;
    const { outcome } = await sandbox.run(batch, TIMEOUT_MS);
    if (outcome !== 'passed') return outcome;
  }
  return 'passed';
}

/** A spec file that fails by itself would kill every mutant. */
async function checkSound(
  specs: readonly string[],
  sandbox: Sandbox,
  sound: Set<string>,
): Promise<void> {
  const unknown = specs.filter((spec) => !sound.has(spec));
  if (unknown.length === 0) return;
  const { outcome, output } = await sandbox.run(unknown, 2 * TIMEOUT_MS);
  if (outcome !== 'passed') {
    throw new Error(`without a mutant, ${unknown.join(', ')} ${outcome}:\n${output.slice(-3_000)}`);
  }
  for (const spec of unknown) sound.add(spec);
}
