import { create } from '@bufbuild/protobuf';
import { DurationSchema } from '@bufbuild/protobuf/wkt';
import { CelError } from '../cel-error.js';
import {
  CelTypeName,
  CelUint,
  isDuration,
  isTimestamp,
  noSuchOverload,
  typeNameOf,
} from '../values/cel-value.js';
import {
  formatCelDuration,
  formatTimestamp,
  parseCelDuration,
  parseTimestamp,
  timestampOfNanos,
} from '../values/time.js';
import { intOf, uintOf } from './arithmetic.js';

const TWO_63 = 9_223_372_036_854_775_808;
const TWO_64 = 18_446_744_073_709_551_616;
const SECOND = 1_000_000_000n;
const WHOLE = /^[+-]?\d{1,40}$/;
const DECIMAL = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|Infinity|Inf|inf|NaN)$/;
const encoder = new TextEncoder();
// A byte order mark is a character like others.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function badText(wanted: string, text: string): CelError {
  return new CelError(`${JSON.stringify(text.slice(0, 64))} is not ${wanted}`);
}

export function toIntFunction(a: unknown): unknown {
  if (typeof a === 'bigint') return a;
  if (a instanceof CelUint) return intOf(a.value);
  if (typeof a === 'number') {
    return a > -TWO_63 && a < TWO_63
      ? BigInt(Math.trunc(a))
      : new CelError('int overflow: beyond 64 bits');
  }
  if (typeof a === 'string')
    return WHOLE.test(a) ? intOf(BigInt(a.replace(/^\+/, ''))) : badText('an int', a);
  if (isTimestamp(a) || isDuration(a)) return a.seconds;
  return noSuchOverload('int', a);
}

export function toUintFunction(a: unknown): unknown {
  if (a instanceof CelUint) return a;
  if (typeof a === 'bigint') return uintOf(a);
  if (typeof a === 'number') {
    return a >= 0 && a < TWO_64
      ? new CelUint(BigInt(Math.trunc(a)))
      : new CelError('uint overflow: below 0 or beyond 64 bits');
  }
  if (typeof a === 'string')
    return WHOLE.test(a) ? uintOf(BigInt(a.replace(/^\+/, ''))) : badText('a uint', a);
  return noSuchOverload('uint', a);
}

export function toDouble(a: unknown): unknown {
  if (typeof a === 'number') return a;
  if (typeof a === 'bigint') return Number(a);
  if (a instanceof CelUint) return Number(a.value);
  if (typeof a !== 'string') return noSuchOverload('double', a);
  if (!DECIMAL.test(a)) return badText('a double', a);
  return Number(a.replace(/[Ii]nf$/, 'Infinity'));
}

const TRUE = new Set(['true', 'True', 'TRUE', 't', '1']);
const FALSE = new Set(['false', 'False', 'FALSE', 'f', '0']);

export function toBool(a: unknown): unknown {
  if (typeof a === 'boolean') return a;
  if (typeof a !== 'string') return noSuchOverload('bool', a);
  if (TRUE.has(a)) return true;
  return FALSE.has(a) ? false : badText('a bool', a);
}

export function toBytes(a: unknown): unknown {
  if (a instanceof Uint8Array) return a;
  return typeof a === 'string' ? encoder.encode(a) : noSuchOverload('bytes', a);
}

export function toText(a: unknown): unknown {
  if (typeof a === 'string') return a;
  if (typeof a === 'bigint' || typeof a === 'number' || typeof a === 'boolean') return String(a);
  if (a instanceof CelUint) return String(a.value);
  if (isTimestamp(a)) return formatTimestamp(a);
  if (isDuration(a)) return formatCelDuration(a);
  if (!(a instanceof Uint8Array)) return noSuchOverload('string', a);
  try {
    return decoder.decode(a);
  } catch (error) {
    return new CelError('the bytes are not UTF-8', error);
  }
}

/** Of a text, or of an int: seconds since 1970. */
export function toTimestamp(a: unknown): unknown {
  if (isTimestamp(a)) return a;
  if (typeof a === 'string') return parseTimestamp(a);
  return typeof a === 'bigint' ? timestampOfNanos(a * SECOND) : noSuchOverload('timestamp', a);
}

/** Of a text, or of an int: seconds. */
export function toDuration(a: unknown): unknown {
  if (isDuration(a)) return a;
  if (typeof a === 'string') return parseCelDuration(a);
  if (typeof a === 'bigint') return create(DurationSchema, { seconds: a, nanos: 0 });
  return noSuchOverload('duration', a);
}

const TYPE_TYPE = new CelTypeName('type');

export function toType(a: unknown): unknown {
  return a instanceof CelTypeName ? TYPE_TYPE : new CelTypeName(typeNameOf(a));
}
