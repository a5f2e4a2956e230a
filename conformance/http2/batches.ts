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
const ATTEMPTS = 5;

export interface RunOptions {
  readonly seed: number;
  readonly count: number;
  /** This sequence alone. */
  readonly only: number | undefined;
}

/** The same sequences to our server and to node:http2; returns the number of mistakes. */
export async function runBatches({ seed, count, only }: RunOptions): Promise<number> {
  const begun = performance.now();
  const [from, to] = only === undefined ? [0, count] : [only, only + 1];
  const batches: Batch[] = [];
  for (let at = from; at < to; at += BATCH)
    batches.push({ seed, from: at, to: Math.min(to, at + BATCH) });
  if (only === undefined) {
    batches.push({ seed, from: 0, to: Math.max(2_000, Math.ceil(count / 10)), isForGrowth: true });
  }
  const reports: BatchReport[] = [];
  let aborts = 0;
  const queue = batches.toReversed().values();
  const lane = async (): Promise<void> => {
    for (const batch of queue) {
      const found = await reportOf(batch);
      reports.push(found.report);
      aborts += found.aborts;
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
    if (isMissing)
      mistakes.push(`a documented difference was not seen: ${fact} (${of}), ${reason}`);
  }
  for (const mistake of mistakes.slice(0, 20)) console.log(`WRONG ${mistake}`);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  console.log(
    `${to - from} sequences of seed ${seed}, ${mistakes.length} undocumented differences (${seconds} s); ` +
      `node:http2 aborted its process ${aborts} times`,
  );
  return mistakes.length;
}

/** In a process of its own; again where node:http2 has aborted that. */
async function reportOf(batch: Batch): Promise<{ report: BatchReport; aborts: number }> {
  for (let aborts = 0; ; aborts += 1) {
    const child = fork(join(import.meta.dirname, 'batch.mjs'), { serialization: 'advanced' });
    let report: BatchReport | undefined;
    child.once('message', (it) => (report = it as BatchReport));
    child.send(batch);
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (report !== undefined) return { report, aborts };
    const mayGoOn = signal !== null && ABORTS.has(signal) && batch.isForGrowth !== true;
    if (!mayGoOn || aborts === ATTEMPTS) {
      throw new Error(`sequences ${batch.from} to ${batch.to} ended with ${signal ?? code}`);
    }
  }
}

function sum(records: readonly Readonly<Record<string, number>>[]): Map<string, number> {
  const all = new Map<string, number>();
  for (const [name, times] of records.flatMap((record) => Object.entries(record))) {
    all.set(name, (all.get(name) ?? 0) + times);
  }
  return all;
}
