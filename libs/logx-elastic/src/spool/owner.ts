import fs from 'node:fs';
import os from 'node:os';

/** Returns when a process started; undefined if that is not available. */
export type StartOf = (pid: number) => number | undefined;

/** Tolerance for clocks and rounding, in seconds. */
const SLACK = 5;

/** When this process started, in seconds since the epoch; computed once, because the clock may be set. */
const ownStart = Math.round(Date.now() / 1_000 - process.uptime());

/**
 * The name of the directory for a thread of a process. It contains the start time, because process ids are
 * reused: in a container each process is number 1.
 */
export function nameOf(
  pid: number,
  thread: number = process.getBuiltinModule('node:worker_threads').threadId,
  startOf: StartOf = ticksOf,
): string {
  return `${pid}-${startOf(pid) ?? ownStart}-${thread}`;
}

/**
 * Whether the process of a directory still runs. Processes of other machines cannot be detected.
 *
 * Outside of Linux the start time of another process is not available: there a process that has ended
 * counts as running if its id was reused since the machine started.
 */
// Why: docs/decisions/0070
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

/** The start of a process in ticks since the boot, on Linux (proc_pid_stat(5), field 22); undefined elsewhere. */
function ticksOf(pid: number): number | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return undefined;
  }
}
