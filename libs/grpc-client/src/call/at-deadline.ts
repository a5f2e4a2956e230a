import { MAX_TIMER_MS } from '@apix/contracts/internal';

/**
 * Runs something at a moment, milliseconds since the epoch; never for Infinity.
 *
 * @returns what keeps it from that.
 */
export function atDeadline(deadline: number, run: () => void): () => void {
  if (deadline === Infinity) return () => {};
  const timer = setTimeout(run, Math.min(deadline - Date.now(), MAX_TIMER_MS));
  return () => clearTimeout(timer);
}
