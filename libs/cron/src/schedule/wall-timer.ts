import type { Clock } from '@apix/contracts';

/** How long to sleep at most before looking at the clock again, in milliseconds. */
const LOOK_MS = 60_000;

/**
 * A clock that moves by more than this, in milliseconds, has been corrected: the time between is not a time
 * that passed. Less is an adjustment, over which nothing is lost. The limit is that of Vixie's cron.
 */
// Why: docs/decisions/0081
export const CORRECTION_MS = 3 * 3_600_000;

/** Corrections of the clock up to this many milliseconds are normal adjustments. */
export const ADJUSTMENT_MS = 60_000;

export interface WallTimer {
  readonly clock: Clock;
  /** Milliseconds since the epoch. */
  readonly due: number;
  /** The clock may be set back by up to this many milliseconds without a change of `due`. */
  readonly setBackMs: number;
  /** The clock shows `due`, or has been set forward past it. */
  readonly onDue: () => void;
  /** The clock was corrected: the next time must be computed again. */
  readonly onCorrected: () => void;
}

/**
 * Waits for a time on the wall clock, however far away, although somebody may change the clock.
 * The returned function cancels.
 */
export function atWallTime(timer: WallTimer): () => void {
  const { clock, due, setBackMs, onDue, onCorrected } = timer;
  let cancel = (): void => {};
  const look = (expected: number): void => {
    const now = clock.now();
    if (expected - now > setBackMs || now - due > CORRECTION_MS) onCorrected();
    else if (now >= due) onDue();
    else {
      const ms = Math.min(due - now, LOOK_MS);
      cancel = clock.after(ms, () => look(now + ms));
    }
  };
  const begun = clock.now();
  cancel = clock.after(Math.min(Math.max(0, due - begun), LOOK_MS), () => look(begun));
  return () => cancel();
}
