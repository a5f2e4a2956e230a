const never = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread for this many milliseconds. */
export function stopThread(ms: number): void {
  Atomics.wait(never, 0, 0, ms);
}

/** How long to try, in milliseconds. */
export interface Patience {
  /** Without any progress. */
  readonly quietMs: number;
  readonly totalMs: number;
}

/**
 * Calls `step` each millisecond, blocking this thread, while there is something to do. Returns false if the
 * time runs out before that.
 *
 * @param step returns whether it made progress.
 */
export function patiently(
  { quietMs, totalMs }: Patience,
  hasWork: () => boolean,
  step: () => boolean,
): boolean {
  const begin = performance.now();
  let lastProgress = begin;
  while (hasWork()) {
    const now = performance.now();
    if (now - lastProgress >= quietMs || now - begin >= totalMs) return false;
    stopThread(1);
    if (step()) lastProgress = now;
  }
  return true;
}
