import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Batch, BatchReport } from './batch-report.js';
import { DIFFERENCES, isOfThisNode } from './differences.js';

const BATCH = 2_500;
/** Below so many sequences, not every row can be expected. */
const ALL_ROWS = 50_000;
/** Signals by which node:http2 has ended a process; what is written in JavaScript ends none so. */
const ABORTS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP']);
/** How often one sequence is tried with node:http2. */
const ATTEMPTS = 5;
const PROGRESS = 100_000;

export interface RunOptions {
  readonly seed: number;
  /** The first one. */
  readonly from: number;
  readonly count: number;
  /** This sequence alone. */
  readonly only: number | undefined;
}

/** The same sequences to our server and to node:http2; returns the number of mistakes. */
export async function runBatches({ seed, from: first, count, only }: RunOptions): Promise<number> {
  const begun = performance.now();
  const [from, to] = only === undefined ? [first, first + count] : [only, only + 1];
  const batches: Batch[] = [];
  for (let at = from; at < to; at += BATCH)
    batches.push({ seed, from: at, to: Math.min(to, at + BATCH) });
  if (only === undefined) {
    batches.push({ seed, from: 0, to: Math.max(2_000, Math.ceil(count / 10)), isForGrowth: true });
  }
  const reports: BatchReport[] = [];
  let aborts = 0;
  let done = 0;
  const queue = batches.toReversed().values();
  const lane = async (): Promise<void> => {
    for (const batch of queue) {
      const found = await reportsOf(batch);
      reports.push(...found.reports);
      aborts += found.aborts;
      for (const mistake of found.reports.flatMap((report) => report.mistakes))
        console.log(`WRONG ${mistake}`);
      if (batch.isForGrowth === true) continue;
      done += batch.to - batch.from;
      if (done % PROGRESS < BATCH) console.log(`${done} of ${to - from} sequences`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  const mistakes = reports.flatMap((report) => report.mistakes);
  const rows = sum(reports.map((report) => report.rows));
  for (const [end, times] of sum(reports.map(({ ends }) => ends)))
    console.log(`  ${end}: ${times}`);
  console.log('documented differences, in sequences:');
  for (const [at, row] of DIFFERENCES.entries()) {
    const { fact, of, reason, isRare } = row;
    const times = rows.get(String(at)) ?? 0;
    console.log(`  ${fact} (${of}): ${times}`);
    const isMissing =
      times === 0 &&
      only === undefined &&
      count >= ALL_ROWS &&
      isRare !== true &&
      isOfThisNode(row);
    if (!isMissing) continue;
    mistakes.push(fact);
    console.log(`WRONG a documented difference was not seen: ${fact} (${of}), ${reason}`);
  }
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  console.log(
    `${to - from} sequences of seed ${seed}, ${mistakes.length} undocumented differences (${seconds} s); ` +
      `node:http2 aborted its process ${aborts} times`,
  );
  return mistakes.length;
}

interface Found {
  readonly reports: readonly BatchReport[];
  readonly aborts: number;
}

/** In a process of its own; where node:http2 aborts that, in one for each half, down to the one sequence that it cannot bear. */
async function reportsOf(batch: Batch): Promise<Found> {
  const { from, to } = batch;
  const isOne = to - from === 1;
  let aborts = 0;
  for (; aborts < (isOne ? ATTEMPTS : 1); aborts += 1) {
    const end = await runIn(batch);
    if (typeof end !== 'string') return { reports: [end], aborts };
    if (!ABORTS.has(end) || batch.isForGrowth === true)
      throw new Error(`sequences ${from} to ${to} ended with ${end}`);
  }
  if (isOne) {
    console.log(`node:http2 always aborts in sequence ${from}, which our server gets alone`);
    const { reports } = await reportsOf({ ...batch, isForGrowth: true });
    return { reports, aborts };
  }
  const middle = Math.floor((from + to) / 2);
  const first = await reportsOf({ ...batch, to: middle });
  const second = await reportsOf({ ...batch, from: middle });
  return {
    reports: [...first.reports, ...second.reports],
    aborts: aborts + first.aborts + second.aborts,
  };
}

/** @returns how the process ended where it has no report. */
async function runIn(batch: Batch): Promise<BatchReport | string> {
  const child = fork(join(import.meta.dirname, 'batch.mjs'), { serialization: 'advanced' });
  let report: BatchReport | undefined;
  child.once('message', (it) => (report = it as BatchReport));
  child.send(batch);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return report ?? signal ?? `exit code ${code}`;
}

function sum(records: readonly Readonly<Record<string, number>>[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const [name, times] of records.flatMap((record) => Object.entries(record))) {
    all.set(name, (all.get(name) ?? 0) + times);
  }
  return all;
}
