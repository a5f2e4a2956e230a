import fs from 'node:fs';
import os from 'node:os';

/** When a process began; undefined where the machine does not say. */
export type StartOf = (pid: number) => number | undefined;

/** Seconds by which clocks and roundings may differ. */
const SLACK = 5;

/** When this process began, in seconds since the epoch: once, as the clock may be set. */
const ownStart = Math.round(Date.now() / 1_000 - process.uptime());

/**
 * A name for what belongs to a thread of a process. The time of its start is in it, as process
 * ids come again: in a container each process is number 1.
 */
export function nameOf(
  pid: number,
  thread: number = process.getBuiltinModule('node:worker_threads').threadId,
  startOf: StartOf = ticksOf,
): string {
  return `${pid}-${startOf(pid) ?? ownStart}-${thread}`;
}

/**
 * Whether the process with that name still runs. Processes of other machines seem not to.
 *
 * Outside of Linux the start time of another process is not available: there a process that has ended
 * counts as running if its id was reused since the machine started.
 */
// Why: docs/decisions/0253
export function isRunning(name: string, startOf: StartOf = ticksOf): boolean {
  const [pid = 0, start = 0] = name.split('-').map(Number);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  let isOurs = true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
    isOurs = false;
  }
  const known = startOf(pid);
  if (known !== undefined) return known === start;
  if (!isOurs) return true;
  if (pid === process.pid) return Math.abs(ownStart - start) <= SLACK;
  return start >= Date.now() / 1_000 - os.uptime() - SLACK;
}

/** Ticks since the boot, on Linux (proc_pid_stat(5), field 22); undefined elsewhere. */
function ticksOf(pid: number): number | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return undefined;
  }
}
