import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, start, type SubjectOptions, type SubjectReport } from './messages.js';

const ROUNDS = Number(process.argv[2] ?? 3);
const KILLS = Number(process.argv[3] ?? 6);
const SECONDS = 9;
const OUTAGE_MS = 6_000;
const BEFORE_MS = 1_500;
const MAX_MORE_MB = 64;
const MAX_DELAY_RATIO = 1.2;
/** What a killed process may lose: a batch, or 100 ms of events, whichever is more. */
const MAX_LOST = 5_000;
const PAIRS = [
  ['healthy', 'outage'],
  ['healthy, spool', 'outage, spool'],
] as const;

type Name = (typeof PAIRS)[number][number];

const problems: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'conformance-elastic-'));
const servers = [start('server'), start('server')] as const;
const [server] = servers;

function check(holds: boolean, what: string): void {
  if (!holds) problems.push(what);
}

async function subject(
  server: ChildProcess,
  options: Omit<SubjectOptions, 'port'>,
): Promise<ChildProcess> {
  const { port } = await ask(server, 'reset');
  return start('subject', JSON.stringify({ port, ...options }));
}

async function reportOf(child: ChildProcess): Promise<SubjectReport> {
  const died = once(child, 'exit').then(() => {
    throw new Error('a subject ended without a report');
  });
  const [report] = (await Promise.race([once(child, 'message'), died])) as [SubjectReport];
  died.catch(() => {});
  return report;
}

async function outage(server: ChildProcess): Promise<void> {
  await sleep(BEFORE_MS);
  await ask(server, 'down');
  await sleep(OUTAGE_MS);
  await ask(server, 'up');
}

async function run(name: Name, server: ChildProcess): Promise<SubjectReport> {
  const spool = join(folder, name);
  const child = await subject(server, {
    seconds: SECONDS,
    ...(name.endsWith('spool') && { spool }),
  });
  const over = name.startsWith('outage') ? outage(server) : undefined;
  const report = await reportOf(child);
  await over;
  const { unique, again } = await ask(server, 'state');
  const { logged, sent, failed, dropped, queued, spooled } = report;
  const sum = sent + failed + dropped + queued + spooled;
  console.log(
    `  ${name.padEnd(15)} logged ${logged} = sent ${sent} + failed ${failed} + dropped ${dropped}` +
      ` + queued ${queued} + spooled ${spooled}; arrived ${unique}, again ${again}; ` +
      `peak ${report.peakRssMb.toFixed(1)} MB, p99 of the loop ${report.p99DelayMs.toFixed(2)} ms`,
  );
  check(sum === logged, `${name}: ${sum} accounted for, ${logged} logged`);
  check(unique === sent, `${name}: ${sent} said to be sent, ${unique} arrived`);
  if (name.endsWith('spool')) check(sent === logged, `${name}: ${logged - sent} not sent`);
  return report;
}

/** A process is killed; what it has left is sent by the next one. */
async function kill(number: number): Promise<void> {
  const spool = join(folder, `killed-${number}`);
  const progress = join(folder, `progress-${number}`);
  const child = await subject(server, { seconds: 60, spool, progress });
  const isDown = number % 2 === 0;
  await sleep(700);
  if (isDown) await ask(server, 'down');
  await sleep(700 + 300 * Math.random());
  child.kill('SIGKILL');
  await once(child, 'exit');
  const logged = Number(readFileSync(progress, 'utf8'));
  if (isDown) await ask(server, 'up');
  const before = await ask(server, 'state');
  const heir = start('subject', JSON.stringify({ port: before.port, seconds: 0, spool }));
  const report = await reportOf(heir);
  const { unique, again } = await ask(server, 'state');
  const lost = Math.max(0, logged - unique);
  console.log(
    `  ${isDown ? 'in an outage' : 'while healthy'}: logged ${logged}, arrived before ` +
      `${before.unique}, recovered ${report.recovered}, lost ${lost}, sent again ${again}`,
  );
  check(lost <= MAX_LOST, `killed: ${lost} events lost`);
  check(report.sent === report.recovered, `killed: ${report.recovered - report.sent} not sent`);
  check(readdirSync(spool).length === 0, 'killed: the spool is not empty in the end');
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function compare(reports: ReadonlyMap<Name, readonly SubjectReport[]>): void {
  for (const kind of ['', ', spool'] as const) {
    const of = (name: Name, key: 'peakRssMb' | 'p99DelayMs'): number =>
      median(reports.get(name)!.map((report) => report[key]));
    const more = of(`outage${kind}`, 'peakRssMb') - of(`healthy${kind}`, 'peakRssMb');
    const ratio = of(`outage${kind}`, 'p99DelayMs') / of(`healthy${kind}`, 'p99DelayMs');
    console.log(
      `outage${kind} against healthy${kind}, medians: ${more.toFixed(1)} MB more (at most ` +
        `${MAX_MORE_MB}), p99 of the loop ${ratio.toFixed(2)} times (at most ${MAX_DELAY_RATIO})`,
    );
    check(more <= MAX_MORE_MB, `outage${kind}: ${more.toFixed(1)} MB more`);
    check(ratio <= MAX_DELAY_RATIO, `outage${kind}: p99 ${ratio.toFixed(2)} times`);
  }
}

try {
  for (const server of servers) await ask(server, 'up');
  console.log(
    `50,000 events/s for ${SECONDS} s, an outage of ${OUTAGE_MS / 1_000} s, Node ${process.version}`,
  );
  const reports = new Map<Name, SubjectReport[]>(PAIRS.flat().map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    // A pair runs side by side, so that a noisy moment of the machine hits both.
    for (const pair of PAIRS) {
      const both = await Promise.all(pair.map(async (name, i) => run(name, servers[i]!)));
      both.forEach((report, i) => reports.get(pair[i]!)!.push(report));
    }
  }
  if (ROUNDS > 0) compare(reports);
  console.log(`${KILLS} processes with a spool are killed with SIGKILL`);
  for (let number = 0; number < KILLS; number++) await kill(number);
} finally {
  for (const server of servers) server.kill();
  rmSync(folder, { recursive: true });
}
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'all accounted for' : 'FAILED');
process.exitCode = problems.length === 0 ? 0 : 1;
