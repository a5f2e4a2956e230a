import type { Clock } from '@apix/contracts';

/**
 * Runs `fn` now, and again `ms` after each run has ended. Errors that it throws are ignored. The returned
 * function ends it.
 */
export function repeat(clock: Clock, ms: number, fn: () => void | Promise<void>): () => void {
  let isOver = false;
  let cancel = (): void => {};
  const run = async (): Promise<void> => {
    try {
      await fn();
    } catch {
      // The caller's silence is the message.
    }
    if (!isOver) cancel = clock.after(ms, () => void run());
  };
  void run();
  return () => {
    isOver = true;
    cancel();
  };
}
