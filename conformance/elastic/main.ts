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
const NAMES = ['healthy', 'outage', 'healthy, spool', 'outage, spool'] as const;

type Name = (typeof NAMES)[number];

const problems: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'conformance-elastic-'));
const server = start('server');
const { port } = await ask(server, 'up');

function check(holds: boolean, what: string): void {
  if (!holds) problems.push(what);
}

function subject(options: Omit<SubjectOptions, 'port'>): ChildProcess {
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

async function outage(): Promise<void> {
  await sleep(BEFORE_MS);
  await ask(server, 'down');
  await sleep(OUTAGE_MS);
  await ask(server, 'up');
}

async function run(name: Name): Promise<SubjectReport> {
  await ask(server, 'reset');
  const spool = join(folder, 'spool');
  const child = subject({ seconds: SECONDS, ...(name.endsWith('spool') && { spool }) });
  const over = name.startsWith('outage') ? outage() : undefined;
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
  if (name !== 'outage') check(sent === logged, `${name}: ${logged - sent} not sent`);
  return report;
}

/** A process is killed; what it has left is sent by the next one. */
async function kill(number: number): Promise<void> {
  await ask(server, 'reset');
  const spool = join(folder, `killed-${number}`);
  const progress = join(folder, `progress-${number}`);
  const child = subject({ seconds: 60, spool, progress });
  const isDown = number % 2 === 0;
  await sleep(700);
  if (isDown) await ask(server, 'down');
  await sleep(700 + 300 * Math.random());
  child.kill('SIGKILL');
  await once(child, 'exit');
  const logged = Number(readFileSync(progress, 'utf8'));
  if (isDown) await ask(server, 'up');
  const before = await ask(server, 'state');
  const heir = subject({ seconds: 0, spool });
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
  console.log(
    `50,000 events/s for ${SECONDS} s, an outage of ${OUTAGE_MS / 1_000} s, Node ${process.version}`,
  );
  const reports = new Map<Name, SubjectReport[]>(NAMES.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of NAMES) reports.get(name)!.push(await run(name));
  }
  if (ROUNDS > 0) compare(reports);
  console.log(`${KILLS} processes with a spool are killed with SIGKILL`);
  for (let number = 0; number < KILLS; number++) await kill(number);
} finally {
  server.kill();
  rmSync(folder, { recursive: true });
}
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'all accounted for' : 'FAILED');
process.exitCode = problems.length === 0 ? 0 : 1;
