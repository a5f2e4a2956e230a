/** The variable by which the parent says to a process which of its processes it is. */
export const PROCESS_MARK = 'APIX_HOSTX_PROCESS';

/** Which process of an app this one is. */
export interface ProcessMark {
  /** From 1. */
  readonly index: number;
  readonly count: number;
  /** The process id of the parent. */
  readonly parent: number;
}

/** The mark as the parent writes it into the environment of a process. */
export function markText({ index, count, parent }: ProcessMark): string {
  return [index, count, parent].join('/');
}

/**
 * The mark of this process; null if it is not one of several. A mark that was inherited from an ancestor other
 * than the parent, by a program that the app starts, does not count.
 */
export function readMark(
  env: Readonly<Record<string, string | undefined>>,
  ppid: number,
): ProcessMark | null {
  const [index, count, parent] = (env[PROCESS_MARK] ?? '').split('/').map(Number);
  return index !== undefined && count !== undefined && parent === ppid
    ? { index, count, parent }
    : null;
}
