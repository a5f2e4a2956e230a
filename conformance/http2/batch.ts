import type { Batch, BatchReport } from './batch-report.js';
import { judge } from './compare.js';
import { DIFFERENCES } from './differences.js';
import { growthOf } from './growth.js';
import { NodeServer } from './servers.js';

const AT_ONCE = 16;

// The process is one of its own, because node:http2 may end it.
process.once('message', (batch: Batch) => {
  void report(batch);
});

async function report(batch: Batch): Promise<void> {
  const found = await (batch.isForGrowth === true ? growthOf(batch) : run(batch));
  process.send!(found, () => process.exit());
}

async function run({ seed, from, to }: Batch): Promise<BatchReport> {
  const node = new NodeServer();
  const ends: Record<string, number> = {};
  const rows: Record<number, number> = {};
  const mistakes: string[] = [];
  const count = (of: Record<string | number, number>, key: string | number): void => {
    of[key] = (of[key] ?? 0) + 1;
  };
  let next = from;
  const lane = async (): Promise<void> => {
    while (next < to) {
      const nth = next++;
      const verdict = await judge(node, seed, nth);
      count(ends, `connection ${verdict.ours.connection}`);
      for (const end of verdict.ours.streams.values()) count(ends, kindOf(end));
      for (const row of verdict.rows) count(rows, DIFFERENCES.indexOf(row));
      mistakes.push(...verdict.mistakes.map((text) => `sequence ${nth}: ${text}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { ends, rows, mistakes };
}

function kindOf(end: string): string {
  return end.startsWith('answer') ? 'stream answered' : `stream ${end}`;
}
