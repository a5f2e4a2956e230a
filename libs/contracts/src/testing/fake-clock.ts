import type { Clock } from '../clock.js';

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves time on by `ms` and fires every timer that falls due on the way, in order, letting
   * promises settle before, between and after them.
   */
  advance(ms: number): Promise<void>;
  /** Changes what `now()` says without firing anything, as an adjusted wall clock does. */
  jump(ms: number): void;
  /** How many timers wait. */
  readonly pending: number;
}

interface Timer {
  readonly at: number;
  readonly fn: () => void;
}

/** A {@link FakeClock} that starts at `start` (milliseconds since the epoch). Default: 0. */
export function fakeClock(start = 0): FakeClock {
  let wall = start;
  let elapsed = 0;
  const timers = new Set<Timer>();

  const nextDue = (until: number): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  };
  const moveTo = (time: number): void => {
    wall += time - elapsed;
    elapsed = time;
  };

  return {
    now: () => wall,
    after(ms, fn) {
      const timer = { at: elapsed + Math.max(0, ms), fn };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const until = elapsed + ms;
      await settle();
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        timers.delete(timer);
        moveTo(timer.at);
        timer.fn();
        await settle();
      }
      moveTo(until);
    },
    jump(ms) {
      wall += ms;
    },
    get pending() {
      return timers.size;
    },
  };
}

/** A turn of the event loop: everything that is only waiting for promises has run after it. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
