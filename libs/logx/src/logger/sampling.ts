import { type Clock, type Duration, OptionsError, systemClock } from '@apix/contracts';
import { checkedOptions, duration, required, wholeNumber } from '@apix/contracts/internal';
import type { Level } from '../levels/level.js';

/** Decides, after the level was found high enough, whether an event is logged. */
export interface Sampler {
  sample(level: Level): boolean;
}

const COUNT = required(wholeNumber({ min: 0 }), 0);
const PERIOD = required(duration({ min: Number.MIN_VALUE }), 0);

/**
 * Logs the first of every `n` events; 1 logs all of them, 0 none.
 *
 * @throws OptionsError for an `n` that is not an integer of at least 0.
 */
export function everyN(n: number): Sampler {
  checkedOptions({ n: COUNT }, { n }, (found) => new OptionsError('logx: everyN', found));
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
 * Logs up to `burst` events in each `period` and asks `next` about the others; without `next` they are
 * dropped. A period starts with the first event after the end of the previous one.
 *
 * @throws OptionsError for a burst that is not an integer of at least 0, or a period that is not a duration above 0.
 */
export function burstLimit(
  burst: number,
  period: Duration,
  next?: Sampler,
  clock: Clock = systemClock,
): Sampler {
  const { period: length } = checkedOptions(
    { burst: COUNT, period: PERIOD },
    { burst, period },
    (found) => new OptionsError('logx: burstLimit', found),
  );
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
