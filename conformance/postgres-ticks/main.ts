import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { postgresTableSql } from '@apix/cron/postgres';
import { demoInTwoProcesses } from './demo.js';
import { Fleet, type Treatment } from './fleet.js';
import { type Outage, type Verdict, judge } from './judge.js';
import { Pooler } from './pooler.js';
import { Postgres } from './server.js';

const USAGE = `Shares cron jobs among ten processes over PostgreSQL, kills and pauses those that run, and stops the
database; beside the schedules of pg-boss, of which the finest is a minute.

  --quick             four processes and few of each, without pg-boss
  --kills <n>         this many replicas are killed, and a fifth of it paused; a fifth of both with reruns, and
                      through PgBouncer (default: 100)
  --minutes <n>       how long pg-boss runs, and is treated (default: 6)
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    kills: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '6' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const REPLICAS = values.quick ? 4 : 10;
const INTERVAL_MS = 3_000;
const JOBS = ['job-1', 'job-2', 'job-3', 'job-4'];
/** Longer than a lease. */
const PAUSE_MS = values.quick ? 3_000 : 5_000;
const here = dirname(fileURLToPath(import.meta.url));
const sources = join(process.cwd(), 'conformance/postgres-ticks');
const server = await Postgres.create();
const journalOf = (name: string): string => join(server.folder, `${name}.journal`);
const failures: string[] = [];
const rows: string[][] = [
  [
    '',
    'ticks',
    'kills',
    'pauses',
    'begun twice',
    'never begun',
    'cut off',
    'late: median',
    'most',
    'statements/s',
  ],
];

async function transactions(): Promise<number> {
  const [row] = await server.query(
    `select xact_commit::float8 as count from pg_stat_database where datname = 'postgres'`,
  );
  return row!['count'] as number;
}

function report(name: string, fleet: Fleet, verdict: Verdict, perSecond: number): void {
  rows.push([
    name,
    ...[verdict.ticks, fleet.done.kills, fleet.done.pauses].map(String),
    ...[verdict.twice, verdict.lost, verdict.unended].map(({ length }) => String(length)),
    `${verdict.lateMs.median} ms`,
    `${verdict.lateMs.most} ms`,
    perSecond.toFixed(0),
  ]);
}

async function treated(fleet: Fleet, treatment: Treatment, limitMs: number): Promise<number> {
  const [before, since] = [await transactions(), performance.now()];
  fleet.treat(treatment);
  while (!fleet.isTreated && performance.now() - since < limitMs) await sleep(100);
  return ((await transactions()) - before) / ((performance.now() - since) / 1_000);
}

async function begun(fleet: Fleet, count: number): Promise<void> {
  const since = performance.now();
  while (fleet.seen.size < count) {
    if (performance.now() - since > 60_000) throw new Error(`nothing ran: ${fleet.output}`);
    await sleep(50);
  }
}

/** Results, and a record of each claim that the replicas cannot avoid. */
const WITNESS = `
  create table results (job text, tick float8, pid integer);
  create table claims (job text, tick float8);
  create or replace function witness() returns trigger language plpgsql as $$ begin
    insert into claims select new.job, extract(epoch from new.run_tick) * 1000
    where new.holder is not null and new.run_tick is not null
      and (tg_op = 'INSERT' or new.holder is distinct from old.holder);
    return null;
  end $$;
  create trigger witness after insert or update on apix_cron_jobs for each row execute function witness()`;

interface Sharing {
  readonly maxReruns: number;
  readonly treatment: Treatment;
  /** Whether the database is stopped and started again at the end. */
  readonly withOutage: boolean;
  /** Default: the replicas are connected to the database itself. */
  readonly pooler?: Pooler;
}

/** Without reruns no tick begins twice, and with them none is lost; results are written once in both. */
async function shared({ maxReruns, treatment, withOutage, pooler }: Sharing): Promise<void> {
  const name = `postgresReplicas, maxReruns ${maxReruns}${pooler ? ', PgBouncer' : ''}`;
  const journal = journalOf(`${maxReruns}${pooler ? '-pooled' : ''}`);
  await server.query(
    `drop table if exists results, claims, apix_cron_jobs; ${postgresTableSql()}; ${WITNESS}`,
  );
  // A run that is begun again must end before the next tick, which would be dropped.
  const lease = maxReruns === 0 ? '2s' : '1s';
  const { url } = pooler ?? server;
  const args = [journal, url, JOBS.join(), String(maxReruns), `${INTERVAL_MS}ms`, lease];
  const fleet = new Fleet(join(here, 'replica.mjs'), args);
  for (let count = 0; count < REPLICAS; count++) fleet.add();
  await begun(fleet, JOBS.length);
  const perSecond = await treated(fleet, treatment, 20 * 60_000);
  await sleep(INTERVAL_MS);
  let outage: Outage = null;
  if (withOutage) {
    const from = Date.now();
    await server.stop();
    await sleep(INTERVAL_MS);
    await server.start();
    const back = Date.now();
    // What ran when it was lost is unfinished for the rest of its lease.
    outage = [from - INTERVAL_MS, back + INTERVAL_MS];
    await begun(fleet, fleet.seen.size + 2 * JOBS.length);
    process.stdout.write(
      `the database was away for ${((back - from) / 1_000).toFixed(1)} s, and jobs ran again at the ` +
        `${Math.ceil((Math.min(...timesAfter(fleet, back)) - back) / INTERVAL_MS)}. tick after it\n`,
    );
    // A pooler keeps the statements until the database is back.
    if (pooler === undefined && !fleet.output.includes('PostgreSQL is unreachable'))
      failures.push(`${name}: no word of the outage`);
  }
  await fleet.stop();
  const claims = await server.query('select job, round(tick)::float8 as tick from claims');
  const claimed = claims.map(({ job, tick }) => `${String(job)} ${String(tick)}`);
  const verdict = judge(journal, JOBS, { intervalMs: INTERVAL_MS, outage, claimed });
  const again = claimed.length - new Set(claimed).size;
  if (maxReruns === 0 && again > 0) failures.push(`${name}: ${again} ticks were claimed twice`);
  const doubled = await server.query(
    'select job, tick from results group by job, tick having count(*) > 1',
  );
  if (doubled.length > 0) failures.push(`${name}: ${doubled.length} results written twice`);
  if (fleet.output.includes('did not end')) failures.push(`${name}: replicas did not end`);
  for (const key of verdict.lost) failures.push(`${name}: ${key} was lost`);
  if (maxReruns === 0) for (const key of verdict.twice) failures.push(`${name}: ${key} ran twice`);
  else for (const key of verdict.unended) failures.push(`${name}: ${key} never ended`);
  if (!fleet.isTreated) failures.push(`${name}: not all kills and pauses were done`);
  report(name, fleet, verdict, perSecond);
}

function timesAfter(fleet: Fleet, time: number): number[] {
  return [...fleet.seen].map((key) => Number(key.split(' ')[1])).filter((tick) => tick > time);
}

/** For comparison: what it does is not judged. */
async function compared(minutes: number): Promise<void> {
  const journal = journalOf('boss');
  const fleet = new Fleet(join(sources, 'boss.mjs'), [journal, server.url, JOBS.join()]);
  for (let count = 0; count < REPLICAS; count++) fleet.add();
  await begun(fleet, 1);
  const treatment = { kills: minutes, pauses: Math.floor(minutes / 3), pauseMs: PAUSE_MS };
  const perSecond = await treated(fleet, treatment, minutes * 60_000);
  await sleep(5_000);
  await fleet.stop();
  report('pg-boss 12.38', fleet, judge(journal, JOBS, { intervalMs: 60_000 }), perSecond);
}

try {
  await server.start();
  if (values.quick) {
    const treatment = { kills: 2, pauses: 1, pauseMs: PAUSE_MS };
    await shared({ maxReruns: 0, treatment, withOutage: true });
  } else {
    await demoInTwoProcesses(server);
    const kills = Number(values.kills);
    const many = { kills, pauses: Math.ceil(kills / 5), pauseMs: PAUSE_MS };
    const some = { kills: Math.ceil(kills / 5), pauses: Math.ceil(kills / 25), pauseMs: PAUSE_MS };
    await shared({ maxReruns: 0, treatment: many, withOutage: true });
    await shared({ maxReruns: 1, treatment: some, withOutage: false });
    const pooler = await Pooler.start(server);
    try {
      await shared({ maxReruns: 0, treatment: some, withOutage: true, pooler });
    } finally {
      await pooler.stop();
    }
    await compared(Number(values.minutes));
  }
} finally {
  await server.stop();
  await rm(server.folder, { recursive: true, force: true });
}
const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
for (const row of rows) {
  process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}\n`);
}
for (const failure of failures.slice(0, 30)) process.stdout.write(`  ${failure}\n`);
process.stdout.write(
  failures.length === 0 ? 'no tick was lost, and no result was written twice\n' : 'FAILED\n',
);
process.exitCode = failures.length === 0 ? 0 : 1;
