import { clearTimeout, setTimeout } from 'node:timers';
import { type Clock, systemClock } from '@apix/contracts';

/** The machine's clock, with timers that do not keep the process alive. */
export const idleClock: Clock = {
  now: () => systemClock.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms).unref();
    return () => clearTimeout(timer);
  },
};
