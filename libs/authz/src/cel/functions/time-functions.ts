import { CelError } from '../cel-error.js';
import { isDuration, isTimestamp, noSuchOverload } from '../values/cel-value.js';
import { localDate, TIME_PARTS } from '../values/time-parts.js';
import { nanosOf } from '../values/time.js';

const DURATION_UNITS: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
};

/** A part of a timestamp in a zone, by default UTC; of a duration the whole of it in a unit. */
export function timePart(name: string): (time: unknown, zone: unknown) => unknown {
  const part = TIME_PARTS[name];
  const unit = DURATION_UNITS[name];
  return (time, zone) => {
    if (
      isTimestamp(time) &&
      part !== undefined &&
      (zone === undefined || typeof zone === 'string')
    ) {
      const local = localDate(time, zone);
      return local instanceof CelError ? local : BigInt(part(local));
    }
    if (isDuration(time) && zone === undefined) {
      if (unit !== undefined) return nanosOf(time) / unit;
      // Only what is below a second, as in all implementations.
      if (name === 'getMilliseconds') return BigInt(Math.trunc(time.nanos / 1e6));
    }
    return noSuchOverload(name, time, zone);
  };
}
