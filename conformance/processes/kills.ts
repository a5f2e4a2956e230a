import { setTimeout as sleep } from 'node:timers/promises';
import { loadOf } from '../drain/load.js';
import { Parent } from './parent.js';
import { DRAIN_MS, keepAlive, type Result, watchLate, watchUsage } from './rolls.js';

const CLIENTS = 32;

/** Kills a process at random, again and again: only what is under way in it may fail. */
export async function killScenario(kills: number, thinkMs: number): Promise<Result> {
  const parent = await Parent.start({ platform: 'express', way: 'hostx', drainMs: DRAIN_MS });
  const load = loadOf(keepAlive(parent.ports.http, CLIENTS), thinkMs);
  const watch = watchLate([load]);
  const usage = watchUsage(parent);
  const problems: string[] = [];
  try {
    for (let kill = 0; kill < kills; kill++) {
      const { failed } = load.tally;
      await parent.kill();
      const lost = load.tally.failed - failed;
      // Each client has one request under way at most.
      if (lost > CLIENTS) problems.push(`${lost} lost with one process`);
      const { answered } = load.tally;
      await sleep(200);
      if (load.tally.answered === answered) problems.push('nothing is answered after a kill');
    }
  } finally {
    await load.finish();
  }
  const said = usage();
  const late = watch();
  if (late > 0) problems.push(`${late} times a request hung`);
  const ended = await parent.stop();
  if (ended !== '0') problems.push(`ended with ${ended}`);
  const { answered, failed, moved } = load.tally;
  const reasons = load.tally.reasons();
  return { restarts: kills, answered, lost: failed, moved, parent: said.text, problems, reasons };
}
