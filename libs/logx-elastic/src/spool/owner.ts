import fs from 'node:fs';
import { threadId } from 'node:worker_threads';

/**
 * A name for what belongs to a thread of a process. The time of its start is in it, as process
 * ids come again: in a container each process is number 1.
 */
export function nameOf(pid: number, thread: number = threadId): string {
  return `${pid}-${startOf(pid) ?? 0}-${thread}`;
}

/** Whether the process with that name still runs. Processes of other machines seem not to. */
export function isRunning(name: string): boolean {
  const [pid = 0, start] = name.split('-').map(Number);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return (startOf(pid) ?? 0) === start;
}

/** Ticks since the boot, on Linux (proc_pid_stat(5), field 22); undefined elsewhere. */
function startOf(pid: number): number | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return undefined;
  }
}
