import { CelUint, isDuration, isTimestamp, noSuchOverload } from '../values/cel-value.js';
import { compareBytes, compareNumbers, compareStrings } from '../values/compare.js';
import { nanosOf } from '../values/time.js';

/** Negative, 0, positive or NaN; undefined for values that have no order. */
function compare(a: unknown, b: unknown): number | undefined {
  if (typeof a === 'string') return typeof b === 'string' ? compareStrings(a, b) : undefined;
  if (typeof a === 'bigint' || typeof a === 'number' || a instanceof CelUint) {
    return compareNumbers(a, b);
  }
  if (typeof a === 'boolean') return typeof b === 'boolean' ? Number(a) - Number(b) : undefined;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : undefined;
  if ((isTimestamp(a) && isTimestamp(b)) || (isDuration(a) && isDuration(b))) {
    return compareNumbers(nanosOf(a), nanosOf(b));
  }
  return undefined;
}

type Holds = (order: number) => boolean;

function ordered(name: string, holds: Holds): (a: unknown, b: unknown) => unknown {
  return (a, b) => {
    const order = compare(a, b);
    return order === undefined ? noSuchOverload(name, a, b) : holds(order);
  };
}

export const less = ordered('_<_', (order) => order < 0);
export const lessOrEqual = ordered('_<=_', (order) => order <= 0);
export const greater = ordered('_>_', (order) => order > 0);
export const greaterOrEqual = ordered('_>=_', (order) => order >= 0);
