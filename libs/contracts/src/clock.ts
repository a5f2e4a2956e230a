import { Code } from './code.js';
import { StatusError } from './status-error.js';

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

/** A point in time by which something must be done. */
export interface Deadline {
  /** Aborts when the time is up, with a DEADLINE_EXCEEDED StatusError as its reason. */
  readonly signal: AbortSignal;
  /** Milliseconds left, never negative; `Infinity` for a deadline without end. */
  remainingMs(): number;
}

export interface DisposableDeadline extends Deadline {
  /** Ends the timer behind the signal; the signal then never aborts. */
  dispose(): void;
}

/** A deadline `ms` milliseconds from now. Dispose of it once the work is done. */
export function deadlineAfter(ms: number, clock: Clock = systemClock): DisposableDeadline {
  const controller = new AbortController();
  if (ms === Infinity) {
    return { signal: controller.signal, remainingMs: () => Infinity, dispose: () => {} };
  }
  const end = clock.now() + ms;
  const cancel = clock.after(ms, () => {
    controller.abort(new StatusError(Code.DEADLINE_EXCEEDED, `deadline of ${ms} ms exceeded`));
  });
  return {
    signal: controller.signal,
    remainingMs: () => Math.max(0, end - clock.now()),
    dispose: cancel,
  };
}
