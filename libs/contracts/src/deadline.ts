import { type Clock, systemClock } from './clock.js';
import { Code } from './code.js';
import { StatusError } from './status-error.js';

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
