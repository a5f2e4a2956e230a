import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Batch, BatchReport } from './batch-report.js';
import { play } from './differential.js';
import { makeSequence } from './sequences.js';
import { openOurs } from './servers.js';

/** How much more memory may be in use after the run than after its first part, in MB. */
const GROWTH_MB = 4;
const COLLECTIONS = 5;
const AT_ONCE = 64;

/** Our server alone, so that what it keeps is seen: memory after a fifth of the sequences, and at the end. */
export async function growthOf({ seed, from, to }: Batch): Promise<BatchReport> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const inUseMb = async (): Promise<number> => {
    // What one collection finds may hold what the next one does.
    for (let nth = 0; nth < COLLECTIONS; nth += 1) {
      await new Promise(setImmediate);
      collect();
    }
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 2 ** 20;
  };
  const mistakes: string[] = [];
  const run = async (first: number, end: number): Promise<void> => {
    let next = first;
    const lane = async (): Promise<void> => {
      while (next < end)
        mistakes.push(...(await play(makeSequence(seed, next++), openOurs, 2)).problems);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  };
  const middle = from + Math.ceil((to - from) / 5);
  await run(from, middle);
  const before = await inUseMb();
  await run(middle, to);
  const after = await inUseMb();
  console.log(
    `our server alone, ${to - from} sequences: ${before.toFixed(1)} MB in use after a fifth, ${after.toFixed(1)} MB at the end`,
  );
  if (after - before > GROWTH_MB)
    mistakes.push(`${(after - before).toFixed(1)} MB more are in use`);
  return { ends: {}, rows: {}, mistakes };
}
