/** The variable by which the parent of several processes of an app says to each which one it is. */
const VARIABLE = 'APIX_HOSTX_PROCESS';

/** On the global object, so that all installed copies know it when the variable is gone. */
const MARK = Symbol.for('apix.ProcessMark');

/** On the global object of the parent, as above. */
const PARENT = Symbol.for('apix.ProcessParent');

/** On the global object of each of several processes, as above. */
const LEADER = Symbol.for('apix.ProcessLeader');

/** Which of several processes of an app a process is. */
export interface ProcessMark {
  /** From 1. The one that is to take the place of another has the same. */
  readonly index: number;
  /** From 1, and never that of two processes that run at the same time: for the names of files. */
  readonly seat: number;
  readonly count: number;
  /** The process id of the parent. */
  readonly parent: number;
}

/** The variable of a process that is to have the mark. */
export function markedEnvironment({ index, seat, count, parent }: ProcessMark): NodeJS.ProcessEnv {
  return { [VARIABLE]: [index, seat, count, parent].join('/') };
}

/**
 * Which of several processes of its app this process is; null in an app of one process. The variable is removed
 * when it is read, and does not count in a process that the app has started itself.
 */
export function ownProcessMark(): ProcessMark | null {
  const shared = globalThis as typeof globalThis & { [MARK]?: ProcessMark | null };
  if (shared[MARK] === undefined) {
    shared[MARK] = readMark(process.env[VARIABLE], process.ppid);
    if (shared[MARK] !== null) delete process.env[VARIABLE];
  }
  return shared[MARK];
}

function readMark(text: string | undefined, ppid: number): ProcessMark | null {
  const [index = 0, seat = 0, count = 0, parent] = (text ?? '').split('/').map(Number);
  return parent === ppid ? { index, seat, count, parent } : null;
}

/** Says that this process is the parent of several of an app, before anything of it is set up. */
export function becomeProcessParent(): void {
  (globalThis as { [PARENT]?: boolean })[PARENT] = true;
}

/** Whether this process is the parent of several of an app, which holds what there is once for all of them. */
export function isProcessParent(): boolean {
  return (globalThis as { [PARENT]?: boolean })[PARENT] === true;
}

/** Sets what says whether this one of several processes does what only one of them does at any time. */
export function leadWhile(isLeader: () => boolean): void {
  (globalThis as { [LEADER]?: () => boolean })[LEADER] = isLeader;
}

/** Whether this process does what only one of several does at any time; always, in an app of one process. */
export function isLeadingProcess(): boolean {
  const { [LEADER]: isLeader } = globalThis as { [LEADER]?: () => boolean };
  return isLeader?.() ?? ownProcessMark() === null;
}
