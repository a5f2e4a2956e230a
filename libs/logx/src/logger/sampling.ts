import { type Clock, type Duration, parseDuration, systemClock } from '@apix/contracts';
import type { Level } from '../levels/level.js';

/** Decides, after the level was found high enough, whether an event is logged. */
export interface Sampler {
  sample(level: Level): boolean;
}

/**
 * Logs the first of every `n` events; 1 logs all of them, 0 none.
 *
 * @throws RangeError for an `n` that is not a whole number from 0 up.
 */
export function everyN(n: number): Sampler {
  if (!Number.isSafeInteger(n) || n < 0) {
    throw new RangeError(`logx: everyN takes a whole number from 0 up, not ${n}`);
  }
  let seen = 0;
  return {
    sample() {
      if (n === 0) return false;
      const isFirst = seen === 0;
      seen = (seen + 1) % n;
      return isFirst;
    },
  };
}

/**
 * Logs up to `burst` events in each `period` and asks `next` about the others; without `next`
 * they are dropped. A period begins with the first event after the one before has passed.
 *
 * @throws RangeError for a burst that is not a whole number from 0 up, or a period of nothing.
 */
export function burstLimit(
  burst: number,
  period: Duration,
  next?: Sampler,
  clock: Clock = systemClock,
): Sampler {
  const length = parseDuration(period);
  if (!Number.isSafeInteger(burst) || burst < 0) {
    throw new RangeError(`logx: burstLimit takes a whole number from 0 up, not ${burst}`);
  }
  if (!(length > 0)) throw new RangeError(`logx: burstLimit needs a period, not ${period}`);
  let end = -Infinity;
  let count = 0;
  return {
    sample(level) {
      const now = clock.now();
      // A clock that was set back must not make the period last for hours.
      if (now >= end || now < end - length) {
        end = now + length;
        count = 0;
      }
      if (count < burst) {
        count++;
        return true;
      }
      return next?.sample(level) ?? false;
    },
  };
}
