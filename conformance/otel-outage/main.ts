import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, start } from '../elastic/messages.js';
import type { SubjectOptions, SubjectReport } from './subject.js';

const ROUNDS = Number(process.argv[2] ?? 3);
const RATE = Number(process.argv[3] ?? 50_000);
const SECONDS = 9;
const OUTAGE_MS = 6_000;
const BEFORE_MS = 1_500;
const MAX_MORE_MB = 64;
const MAX_DELAY_RATIO = 1.2;

const problems: string[] = [];

function check(holds: boolean, what: string): void {
  if (!holds) problems.push(what);
}

async function outage(collector: ChildProcess): Promise<void> {
  await sleep(BEFORE_MS);
  await ask(collector, 'down');
  await sleep(OUTAGE_MS);
  await ask(collector, 'up');
}

async function run(
  collector: ChildProcess,
  port: number,
  protocol: SubjectOptions['protocol'],
  isDown: boolean,
): Promise<SubjectReport> {
  await ask(collector, 'reset');
  const options: SubjectOptions = { port, protocol, seconds: SECONDS, rate: RATE };
  const subject = start('subject', JSON.stringify(options));
  const over = isDown ? outage(collector) : undefined;
  const [report] = (await once(subject, 'message')) as [SubjectReport];
  await over;
  const { unique, again } = await ask(collector, 'state');
  const { logged, sent, failed, dropped, queued } = report;
  const name = `${protocol}, ${isDown ? 'outage' : 'healthy'}`;
  console.log(
    `  ${name.padEnd(13)} logged ${logged} = sent ${sent} + failed ${failed} + dropped ${dropped}` +
      ` + queued ${queued}; arrived ${unique}, again ${again}; ` +
      `peak ${report.peakRssMb.toFixed(1)} MB, p99 of the loop ${report.p99DelayMs.toFixed(2)} ms`,
  );
  const sum = sent + failed + dropped + queued;
  check(sum === logged, `${name}: ${sum} accounted for, ${logged} logged`);
  // A request that was cut off may have arrived without an answer: its retry comes again, and
  // where there was none it counts as failed.
  check(
    unique >= sent && unique <= sent + failed,
    `${name}: ${sent} said to be sent, ${unique} arrived`,
  );
  return report;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

async function compare(protocol: SubjectOptions['protocol']): Promise<void> {
  const collector = start('collector', protocol);
  try {
    const { port } = await ask(collector, 'up');
    const healthy: SubjectReport[] = [];
    const down: SubjectReport[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      healthy.push(await run(collector, port, protocol, false));
      down.push(await run(collector, port, protocol, true));
    }
    const of = (reports: readonly SubjectReport[], key: 'peakRssMb' | 'p99DelayMs'): number =>
      median(reports.map((report) => report[key]));
    const more = of(down, 'peakRssMb') - of(healthy, 'peakRssMb');
    const ratio = of(down, 'p99DelayMs') / of(healthy, 'p99DelayMs');
    console.log(
      `${protocol}: an outage takes ${more.toFixed(1)} MB more (at most ${MAX_MORE_MB}), p99 of ` +
        `the loop ${ratio.toFixed(2)} times (at most ${MAX_DELAY_RATIO})`,
    );
    check(more <= MAX_MORE_MB, `${protocol}: ${more.toFixed(1)} MB more`);
    check(ratio <= MAX_DELAY_RATIO, `${protocol}: p99 ${ratio.toFixed(2)} times`);
  } finally {
    collector.kill();
  }
}

console.log(
  `${RATE} events/s for ${SECONDS} s, an outage of ${OUTAGE_MS / 1_000} s, Node ${process.version}`,
);
await compare('http');
await compare('grpc');
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'all accounted for' : 'FAILED');
process.exitCode = problems.length === 0 ? 0 : 1;
