import { setTimeout as sleep } from 'node:timers/promises';
import { loadOf } from '../drain/load.js';
import { Parent } from './parent.js';
import { DRAIN_MS, keepAlive, type Result, watchUsage } from './rolls.js';

const COUNT = 16;

/** As many processes as a machine with 16 cores has: replaced one at a time, without a lost request, and stopped. */
export async function manyScenario(thinkMs: number): Promise<Result> {
  const problems: string[] = [];
  const parent = await Parent.start({
    platform: 'express',
    way: 'hostx',
    drainMs: DRAIN_MS,
    count: COUNT,
  });
  const usage = watchUsage(parent);
  const load = loadOf(keepAlive(parent.ports.http, COUNT), thinkMs);
  const first = new Set(parent.pids);
  let most = 0;
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      most = Math.max(most, parent.pids.length);
      await sleep(20);
    }
  })();
  await parent.restart();
  watching.abort();
  await watch;
  await load.finish();
  if (most > COUNT + 1) problems.push(`${most} processes at the same time`);
  if (parent.pids.some((pid) => first.has(pid))) problems.push('a process was not replaced');
  if (load.tally.failed > 0) problems.push(`${load.tally.failed} lost`);
  const said = usage();
  const pids = parent.pids;
  const ended = await parent.stop();
  if (ended !== '0') problems.push(`ended with ${ended}`);
  if (pids.some(isAlive)) problems.push('a process is left behind');
  return {
    restarts: 1,
    answered: load.tally.answered,
    lost: load.tally.failed,
    moved: 0,
    parent: said.text,
    problems,
    reasons: load.tally.reasons(),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
