import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type BedResult,
  REPORT_FILE,
  bedsOf,
  chosenBeds,
  readReport,
  resultOf,
  tableOf,
  withResults,
} from './report.js';

const USAGE = `Runs every bed of the project at its full size, one after the other, and prints one table.

  --only <bed>    only this one, with or without "conformance:"; can be given several times
  --list          prints the beds and runs nothing
  --limit <n>     minutes after which a bed is stopped and has failed; default 180

Results are in ${REPORT_FILE}, with the commit, and what each bed printed next to it in <bed>.log. Those of an earlier
run are kept when nothing has changed since. A release needs all of them. Exit code 1 when a bed failed.
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
    limit: { type: 'string', default: '180' },
    help: { type: 'boolean', default: false },
  },
});
const root = process.cwd();
const limit = Number(values.limit);
if (!(limit > 0)) throw new Error(`conformance: --limit must be minutes, not "${values.limit}"`);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const all = bedsOf(scripts);
const beds = values.only === undefined ? all : chosenBeds(all, values.only);
if (values.help) process.stdout.write(USAGE);
else if (values.list) for (const bed of beds) console.log(bed);
else await runAll();

async function runAll(): Promise<void> {
  const commit = head();
  const file = join(root, REPORT_FILE);
  mkdirSync(dirname(file), { recursive: true });
  let isChanged = isDirty();
  const results: BedResult[] = [];
  for (const bed of beds) {
    console.log(`\n=== ${bed}`);
    results.push(await run(bed, join(dirname(file), `${bed.replace(':', '-')}.log`)));
    isChanged ||= isDirty() || head() !== commit;
    const now = { commit, isChanged, node: process.version, results };
    // After each bed, so that a run that is stopped leaves what it has.
    writeFileSync(file, `${JSON.stringify(withResults(readReport(root), now), null, 2)}\n`);
  }
  console.log(`\n=== ${commit}${isChanged ? ', with uncommitted changes' : ''}`);
  console.log(tableOf(results));
  if (results.some(({ verdict }) => verdict === 'failed')) process.exitCode = 1;
}

async function run(bed: string, log: string): Promise<BedResult> {
  const began = performance.now();
  // In a group of its own, to stop what it has started together with it.
  const child = spawn('npm', ['run', '--silent', bed], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const written = createWriteStream(log);
  let end = '';
  const take = (chunk: Buffer): void => {
    process.stdout.write(chunk);
    written.write(chunk);
    end = (end + chunk.toString()).slice(-10_000);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const timer = setTimeout(() => stop(child.pid), limit * 60_000);
  const interrupt = (): void => {
    stop(child.pid);
    process.exit(130);
  };
  process.once('SIGINT', interrupt);
  const [status] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  process.off('SIGINT', interrupt);
  written.end();
  return resultOf(bed, status, end, (performance.now() - began) / 1_000);
}

function stop(group: number | undefined): void {
  if (group !== undefined) process.kill(-group, 'SIGKILL');
}

function head(): string {
  return git('rev-parse', 'HEAD');
}

function isDirty(): boolean {
  return git('status', '--porcelain') !== '';
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
