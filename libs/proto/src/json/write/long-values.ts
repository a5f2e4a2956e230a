import type { ByteSink } from '../../bytes/byte-sink.js';
import { INT64, type IntegerRange, UINT64 } from '../../values/integer-range.js';
import { type JsonFragment, writeFragment } from './fragments.js';
import { writeInteger } from './numbers.js';
import { writeAscii } from './text.js';
import { unexpected } from './unwritable-error.js';
import type { WriteValue } from './write-value.js';

const QUOTE = 0x22;
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
    writeFragment(sink, key);
    sink.reserve(24);
    sink.bytes[sink.at++] = QUOTE;
    const near = Number(long);
    if (near <= Number.MAX_SAFE_INTEGER && near >= (isSigned ? Number.MIN_SAFE_INTEGER : 0)) {
      writeInteger(sink, near);
    } else {
      writeAscii(sink, String(longOf(long, range)));
    }
    sink.bytes[sink.at++] = QUOTE;
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
