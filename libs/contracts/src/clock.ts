/** The part of time that a test wants in its own hands. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Runs `fn` once, `ms` milliseconds from now; delays beyond a timer's 24.8 days are allowed.
   * The returned function cancels it and may be called at any time.
   */
  after(ms: number, fn: () => void): () => void;
}

/** The longest delay that setTimeout takes, in milliseconds; beyond it, it fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. Its timers keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    let timer: NodeJS.Timeout;
    const arm = (left: number): void => {
      timer =
        left > MAX_TIMER_MS
          ? setTimeout(() => arm(left - MAX_TIMER_MS), MAX_TIMER_MS)
          : setTimeout(fn, left);
    };
    arm(Math.max(0, ms));
    return () => clearTimeout(timer);
  },
};
