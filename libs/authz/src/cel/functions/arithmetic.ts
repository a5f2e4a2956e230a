import { CelError } from '../cel-error.js';
import { CelUint, isDuration, isTimestamp, noSuchOverload } from '../values/cel-value.js';
import { durationOfNanos, nanosOf, timestampOfNanos } from '../values/time.js';

/** An int, or the error of one beyond 64 bits. */
export function intOf(value: bigint): unknown {
  return BigInt.asIntN(64, value) === value ? value : new CelError('int overflow: beyond 64 bits');
}

/** A uint, or the error of one below 0 or beyond 64 bits. */
export function uintOf(value: bigint): unknown {
  return BigInt.asUintN(64, value) === value
    ? new CelUint(value)
    : new CelError('uint overflow: below 0 or beyond 64 bits');
}

export function add(a: unknown, b: unknown): unknown {
  if (typeof a === 'bigint' && typeof b === 'bigint') return intOf(a + b);
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (a instanceof CelUint && b instanceof CelUint) return uintOf(a.value + b.value);
  if (Array.isArray(a) && Array.isArray(b)) return [...(a as unknown[]), ...(b as unknown[])];
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    const joined = new Uint8Array(a.length + b.length);
    joined.set(a);
    joined.set(b, a.length);
    return joined;
  }
  if (isDuration(a)) {
    if (isDuration(b)) return durationOfNanos(nanosOf(a) + nanosOf(b));
    if (isTimestamp(b)) return timestampOfNanos(nanosOf(a) + nanosOf(b));
  }
  if (isTimestamp(a) && isDuration(b)) return timestampOfNanos(nanosOf(a) + nanosOf(b));
  return noSuchOverload('_+_', a, b);
}

export function subtract(a: unknown, b: unknown): unknown {
  if (typeof a === 'bigint' && typeof b === 'bigint') return intOf(a - b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a instanceof CelUint && b instanceof CelUint) return uintOf(a.value - b.value);
  if (isTimestamp(a)) {
    if (isDuration(b)) return timestampOfNanos(nanosOf(a) - nanosOf(b));
    if (isTimestamp(b)) return durationOfNanos(nanosOf(a) - nanosOf(b));
  }
  if (isDuration(a) && isDuration(b)) return durationOfNanos(nanosOf(a) - nanosOf(b));
  return noSuchOverload('_-_', a, b);
}

export function multiply(a: unknown, b: unknown): unknown {
  if (typeof a === 'bigint' && typeof b === 'bigint') return intOf(a * b);
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if (a instanceof CelUint && b instanceof CelUint) return uintOf(a.value * b.value);
  return noSuchOverload('_*_', a, b);
}

export function divide(a: unknown, b: unknown): unknown {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    return b === 0n ? new CelError('division by zero') : intOf(a / b);
  }
  if (typeof a === 'number' && typeof b === 'number') return a / b;
  if (a instanceof CelUint && b instanceof CelUint) {
    return b.value === 0n ? new CelError('division by zero') : uintOf(a.value / b.value);
  }
  return noSuchOverload('_/_', a, b);
}

export function modulo(a: unknown, b: unknown): unknown {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    return b === 0n ? new CelError('modulus by zero') : intOf(a % b);
  }
  if (a instanceof CelUint && b instanceof CelUint) {
    return b.value === 0n ? new CelError('modulus by zero') : uintOf(a.value % b.value);
  }
  return noSuchOverload('_%_', a, b);
}

export function negate(a: unknown): unknown {
  if (typeof a === 'bigint') return intOf(-a);
  return typeof a === 'number' ? -a : noSuchOverload('-_', a);
}
