import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Runs a command as process 1 of its own namespace, as a container does; needs root. */
export const AS_FIRST_PROCESS = [
  'unshare',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
] as const;

/** Whether this system lets the tests do that. */
export const HAS_NAMESPACES =
  process.platform === 'linux' &&
  spawnSync(AS_FIRST_PROCESS[0], [...AS_FIRST_PROCESS.slice(1), 'true']).status === 0;

/** Sends a signal to the one child of a process, such as the process 1 that `unshare` has started. */
export function signalChild(pid: number, signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  process.kill(Number(children), signal);
}
