import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { loadOf } from '../drain/load.js';
import { Parent } from './parent.js';
import { DRAIN_MS, keepAlive, type Result, watchUsage } from './rolls.js';

const CLIENTS = 16;

interface Line {
  readonly Seq?: number;
  readonly Pid?: number;
}

/** Where the processes write their lines: one pipe, or one file that rotates every few lines. */
export type LogPlace = 'pipe' | 'file';

/**
 * Kills processes that write long lines to one place: no line is torn but the last one of a process that was killed
 * while it wrote it, those of each process are in order, and each is there that was handed over before its request
 * was answered.
 */
export async function logScenario(
  place: LogPlace,
  { kills, rotations, thinkMs }: Record<'kills' | 'rotations' | 'thinkMs', number>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'apix-logs-'));
  const variables = place === 'file' ? { LOG_FILE: join(folder, 'app.json') } : {};
  const parent = await Parent.start({
    platform: 'counting',
    way: 'hostx',
    drainMs: DRAIN_MS,
    variables,
  });
  const usage = watchUsage(parent);
  const load = loadOf(keepAlive(parent.ports.http, CLIENTS, '/log'), thinkMs);
  for (let kill = 0; kill < kills; kill++) {
    await parent.kill();
    await sleep(200);
  }
  const least = place === 'file' ? rotations : 0;
  while (rotationsIn(folder) < least) await sleep(100);
  await load.finish();
  const said = usage();
  await parent.stop();
  const rotated = rotationsIn(folder);
  const found = judge(place === 'file' ? textsOf(folder) : parent.output);
  rmSync(folder, { recursive: true });
  const { answered, failed } = load.tally;
  const problems = found.problems.slice(0, 5);
  if (found.cut > kills) problems.push(`${found.cut} lines are cut off`);
  if (found.lines < answered) problems.push(`${answered - found.lines} lines are lost`);
  if (found.lines > answered + failed) problems.push('lines are there twice');
  return {
    restarts: kills,
    answered,
    lost: failed,
    moved: 0,
    parent: said.text,
    problems,
    reasons:
      `${found.lines} lines of ${found.processes} processes for ${answered} answers and ${failed} failures; ` +
      `${found.cut} cut off by a kill${place === 'file' ? `; ${rotated} rotations` : ''}`,
  };
}

function judge(output: Iterable<string>): {
  readonly lines: number;
  readonly cut: number;
  readonly processes: number;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const next = new Map<number, number>();
  let lines = 0;
  let cut = 0;
  for (const text of linesOf(output)) {
    // Of the parent, while no process can write for it.
    if (text === '' || /^(hostx: .*|ready \d+ 0)$/.test(text)) continue;
    const line = parsed(text);
    if (line?.Pid === undefined) {
      // A process may be killed in the middle of its last line, which then gets an end.
      if (!text.startsWith('{"') || text.endsWith('}')) problems.push(`torn: ${text.slice(0, 60)}`);
      else cut += 1;
      continue;
    }
    const expected = next.get(line.Pid) ?? 0;
    if (line.Seq !== expected)
      problems.push(`line ${line.Seq} of ${line.Pid} after ${expected - 1}`);
    next.set(line.Pid, expected + 1);
    lines += 1;
  }
  return { lines, cut, processes: next.size, problems };
}

/** How many old files there are. */
function rotationsIn(folder: string): number {
  const names = readdirSync(folder).filter((name) => name !== 'app.json');
  return new Set(names.map((name) => name.replace(/\.gz.*$/, ''))).size;
}

/** Texts may end within a line. */
function* linesOf(texts: Iterable<string>): Generator<string> {
  let begun = '';
  for (const text of texts) {
    const lines = (begun + text).split('\n');
    begun = lines.pop()!;
    yield* lines;
  }
  yield begun;
}

/** Of the old files, whose names are their times, and then of the present one. */
function* textsOf(folder: string): Generator<string> {
  const names = readdirSync(folder).toSorted();
  for (const name of [...names.filter((each) => each !== 'app.json'), 'app.json']) {
    const bytes = readFileSync(join(folder, name));
    yield String(name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  }
}

function parsed(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}
