import { setTimeout as sleep } from 'node:timers/promises';
import { loadOf } from '../drain/load.js';
import { Parent } from './parent.js';
import { DRAIN_MS, keepAlive, type Result, watchUsage } from './rolls.js';

const CLIENTS = 16;

interface Line {
  readonly Seq?: number;
  readonly Pid?: number;
}

/**
 * Kills processes that write long lines to one pipe: none is torn, and those of each process are complete and in
 * order up to its last.
 */
export async function logScenario(kills: number, thinkMs: number): Promise<Result> {
  const parent = await Parent.start('counting', 'hostx', DRAIN_MS);
  const usage = watchUsage(parent);
  const load = loadOf(keepAlive(parent.ports.http, CLIENTS, '/log'), thinkMs);
  for (let kill = 0; kill < kills; kill++) {
    await parent.kill();
    await sleep(200);
  }
  await load.finish();
  const said = usage();
  await parent.stop();
  const { answered, failed } = load.tally;
  const problems: string[] = [];
  const next = new Map<number, number>();
  let lines = 0;
  for (const text of parent.output.split('\n')) {
    // Of the parent, while no process can write for it.
    if (text === '' || /^(hostx: .*|ready \d+ 0)$/.test(text)) continue;
    const line = parsed(text);
    if (line?.Pid === undefined) {
      // A process may be killed in the middle of its last line, which then gets an end.
      if (!text.startsWith('{"') || text.endsWith('}')) problems.push(`torn: ${text.slice(0, 60)}`);
      continue;
    }
    const expected = next.get(line.Pid) ?? 0;
    if (line.Seq !== expected)
      problems.push(`line ${line.Seq} of ${line.Pid} after ${expected - 1}`);
    next.set(line.Pid, expected + 1);
    lines += 1;
  }
  // A line is written at the end of the turn of the event loop in which its request is answered.
  const missing = answered - lines;
  if (missing > kills * CLIENTS) problems.push(`${missing} lines are missing`);
  return {
    restarts: kills,
    answered,
    lost: failed,
    moved: 0,
    parent: said.text,
    problems: problems.slice(0, 5),
    reasons: `${lines} lines of ${next.size} processes for ${answered} requests`,
  };
}

function parsed(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}
