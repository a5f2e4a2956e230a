import type { ByteSink } from '../../bytes/byte-sink.js';
import { INT64, type IntegerRange, UINT64 } from '../../values/integer-range.js';
import { lowerHalf, splitLong, upperHalf } from '../../values/long-halves.js';
import { type JsonFragment, writeFragment } from './fragments.js';
import { writeLong } from './numbers.js';
import { unexpected } from './unwritable-error.js';
import type { WriteValue } from './write-value.js';

const INTEGER = /^-?\d+$/;

/** 64-bit integers are bigint, or integers as number or text; JSON has them in quotes. */
export const writeInt64 = longWriter(INT64);
export const writeUint64 = longWriter(UINT64);

/** What a field of type int64 holds. */
export function int64Of(value: unknown): bigint {
  return longOf(value, INT64);
}

/** What a field of type uint64 holds. */
export function uint64Of(value: unknown): bigint {
  return longOf(value, UINT64);
}

/** True for the zeros of a 64-bit field, of whatever type. */
export function isZeroLong(value: unknown): boolean {
  return value === 0n || value === 0 || value === '0';
}

function longWriter(range: IntegerRange): WriteValue {
  const isSigned = range.min < 0n;
  return (sink: ByteSink, key: JsonFragment, value: unknown): void => {
    const long = typeof value === 'bigint' ? value : longOf(value, range);
    if ((isSigned ? BigInt.asIntN(64, long) : BigInt.asUintN(64, long)) !== long) {
      unexpected(range.type, value);
    }
    writeFragment(sink, key);
    splitLong(long);
    writeLong(sink, lowerHalf(), upperHalf(), isSigned);
  };
}

function longOf(value: unknown, range: IntegerRange): bigint {
  const isInteger =
    typeof value === 'bigint' ||
    (typeof value === 'number' && Number.isInteger(value)) ||
    (typeof value === 'string' && INTEGER.test(value));
  if (!isInteger) return unexpected(range.type, value);
  const long = BigInt(value);
  return long < range.min || long > range.max ? unexpected(range.type, value) : long;
}
