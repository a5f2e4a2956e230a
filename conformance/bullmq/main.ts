import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { type Entry, readJournal } from './journal.js';
import { type JobPlan, judge } from './judge.js';
import { Redis } from '../redis.js';
import { type Beginning, ReplicaSet } from './replicas.js';

const USAGE = `Shares cron jobs among three processes over Redis, and kills them.

  --ticks <n>   how many ticks to run (default: 200)
  --kill <n>    kill the process that runs every n-th of them, and have one end as for an update
                in the middle between (default: 20)
`;

const { values } = parseArgs({
  options: {
    ticks: { type: 'string', default: '200' },
    kill: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const REPLICAS = 3;
const INTERVAL_MS = 4_000;
/** Half as long again until the next look, and the run: all before the next tick. */
const RERUN_AFTER = '1s';
const JOBS = ['job-1', 'job-2', 'job-3', 'job-4', 'quick'];
const PLANS: readonly JobPlan[] = [
  ...JOBS.map((name) => ({ name, intervalMs: INTERVAL_MS, isSlow: false })),
  { name: 'slow', intervalMs: 500, isSlow: true },
  { name: 'minutely', intervalMs: 60_000, isSlow: false },
];
const [wanted, killEvery] = [Number(values.ticks), Number(values.kill)];

const folder = await mkdtemp(join(tmpdir(), 'apix-bullmq-'));
const redis = await Redis.create();
const failures: string[] = [];

function argsFor(journal: string): string[] {
  return [join(folder, journal), String(redis.port), `${INTERVAL_MS}ms`, RERUN_AFTER];
}

/** Every tick runs, on one replica at a time, although replicas die in the middle of runs. */
async function killings(): Promise<string> {
  const args = argsFor('killings');
  const seen = new Set<string>();
  const ended = { SIGKILL: 0, SIGTERM: 0 };
  let done = (): void => {};
  const all = new Promise<void>((resolve) => (done = resolve));
  const replicas = new ReplicaSet(args, ({ job, tick }: Beginning, child: ChildProcess) => {
    if (job === 'slow' || job === 'quick' || job === 'startup') return;
    const { size } = seen;
    seen.add(`${job} ${tick}`);
    if (seen.size === size || seen.size > wanted) return;
    const phase = seen.size % killEvery;
    if (phase === 0 || phase === Math.floor(killEvery / 2)) {
      const signal = phase === 0 ? 'SIGKILL' : 'SIGTERM';
      ended[signal]++;
      child.kill(signal);
      replicas.add();
    }
    if (seen.size === wanted) done();
  });
  for (let count = 0; count < REPLICAS; count++) replicas.add();
  await all;
  // The last one may be killed: its run is begun again by another.
  await sleep(INTERVAL_MS - 500);
  await replicas.stop();
  failures.push(...replicas.failures);

  const journal = readJournal(args[0]!);
  const verdicts = PLANS.map((plan) => judge(plan, journal));
  const sum = (of: (verdict: (typeof verdicts)[number]) => number): number =>
    verdicts.reduce((total, verdict) => total + of(verdict), 0);
  failures.push(...verdicts.flatMap(({ mistakes }) => mistakes));
  const workers = new Set(journal.map(({ pid }: Entry) => pid)).size;
  return (
    `${sum(({ ticks }) => ticks)} ticks of ${PLANS.length} jobs on ${workers} processes, ` +
    `${REPLICAS} at a time, ${ended.SIGKILL} of them killed in a run, ${ended.SIGTERM} ended in ` +
    `one: ${sum(({ reruns }) => reruns)} re-runs`
  );
}

/** Without Redis the error is clear, and jobs resume when it is back. */
async function outage(): Promise<string> {
  await redis.stop();
  const begun: number[] = [];
  let isStarted = false;
  const replicas = new ReplicaSet(argsFor('outage'), ({ job }) => {
    if (job === 'startup') isStarted = true;
    else begun.push(performance.now());
  });
  replicas.add();
  const told = await replicas.said('Redis is unreachable', 10_000);
  if (!told) failures.push(`a start without Redis said: ${replicas.output}`);
  const first = await resumed('a start without Redis', begun);

  if (!isStarted) failures.push('the job that runs at startup did not run when Redis was there');
  const triggered = (await replicas.trigger('startup')) as { readonly outcome?: string } | null;
  if (triggered?.outcome !== 'ok') failures.push(`a trigger told ${JSON.stringify(triggered)}`);

  const before = replicas.output.length;
  await redis.stop();
  await sleep(2 * INTERVAL_MS);
  if (!replicas.output.slice(before).includes('Redis is unreachable')) {
    failures.push(`the loss of Redis said: ${replicas.output.slice(before)}`);
  }
  const second = await resumed('the loss of Redis', begun);
  await redis.stop();
  await replicas.stop();
  failures.push(...replicas.failures);
  const line = replicas.output.split('\n').find((text) => text.includes('is unreachable'));
  return (
    `without Redis: ${stripVTControlCharacters(line?.slice(line.indexOf('cron:')) ?? 'nothing')}\n` +
    `jobs resumed ${first} s after Redis was started, and ${second} s after it was lost and back`
  );
}

async function resumed(after: string, begun: number[]): Promise<string> {
  const [count, back] = [begun.length, performance.now()];
  await redis.start();
  while (begun.length < count + JOBS.length && performance.now() - back < 30_000) await sleep(50);
  if (begun.length < count + JOBS.length) failures.push(`jobs did not resume after ${after}`);
  return (((begun[count] ?? Infinity) - back) / 1_000).toFixed(1);
}

try {
  await redis.start();
  process.stdout.write(`${await killings()}\n`);
  process.stdout.write(`${await outage()}\n`);
} finally {
  await redis.stop();
  await rm(folder, { recursive: true });
}
for (const failure of failures.slice(0, 30)) process.stdout.write(`  ${failure}\n`);
process.stdout.write(
  failures.length === 0
    ? 'every tick ran to its end once, none twice at a time, none late\n'
    : 'FAILED\n',
);
process.exitCode = failures.length === 0 ? 0 : 1;
