import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { writeAscii, writeJsonText } from './text.js';
import { closeArray, writeFragment } from './fragments.js';
import type { WriteValue } from './write-value.js';

const BILLION = 1_000_000_000;
const COMMA = 0x2c;
const QUOTE = 0x22;

/** The two digits of each number below 100, the first one in the lower byte. */
const PAIRS = Uint16Array.from(
  { length: 100 },
  (_, value) => (0x30 + Math.floor(value / 10)) | ((0x30 + (value % 10)) << 8),
);

/** Writes a double as `JSON.stringify` does, and the three that have no JSON number as text. */
export function writeDouble(sink: ByteSink, value: number): void {
  if ((value | 0) === value) writeInteger(sink, value);
  else if (Number.isFinite(value)) writeAscii(sink, String(value));
  else writeJsonText(sink, String(value));
}

/** Writes an integer of at most 2^53. */
export function writeInteger(sink: ByteSink, value: number): void {
  sink.reserve(18);
  let rest = value;
  if (rest < 0) {
    sink.bytes[sink.at++] = 0x2d;
    rest = -rest;
  }
  if (rest < 10) {
    sink.bytes[sink.at++] = 0x30 + rest;
  } else if (rest < BILLION) {
    writeDigits(sink, rest, digitsOf(rest));
  } else {
    const billions = Math.floor(rest / BILLION);
    writeDigits(sink, billions, digitsOf(billions));
    writeDigits(sink, rest - billions * BILLION, 9);
  }
}

/**
 * Appends finite numbers, each with a comma before it. For many at once, `JSON.stringify` takes half of the
 * time that single calls take.
 */
export function writeDoubles(sink: ByteSink, values: readonly number[]): void {
  const array = JSON.stringify(values);
  sink.reserve(array.length);
  sink.bytes.write(array, sink.at, 'latin1');
  sink.bytes[sink.at] = COMMA;
  sink.at += array.length - 1;
}

/** Writes the last `count` digits of an integer below 2^31, zeros before it included. */
export function writeDigits(sink: ByteSink, value: number, count: number): void {
  sink.reserve(count);
  const { bytes, view, at } = sink;
  let rest = value;
  let i = at + count;
  while (i - at > 1) {
    const hundredth = (rest / 100) | 0;
    i -= 2;
    view.setUint16(i, PAIRS[rest - hundredth * 100]!, true);
    rest = hundredth;
  }
  if (i > at) bytes[at] = 0x30 + (rest % 10);
  sink.at = at + count;
}

/** Writes 64 bits, given as two signed halves, as an integer in quotes. */
export function writeLong(sink: ByteSink, lower: number, upper: number, signed: boolean): void {
  sink.reserve(24);
  sink.bytes[sink.at++] = QUOTE;
  let low = lower >>> 0;
  let high = upper >>> 0;
  if (signed && upper < 0) {
    sink.bytes[sink.at++] = 0x2d;
    high = (low === 0 ? -high : ~high) >>> 0;
    low = -low >>> 0;
  }
  if (high < 0x20_0000) writeInteger(sink, high * 0x1_0000_0000 + low);
  else writeBeyondDoubles(sink, low, high);
  sink.bytes[sink.at++] = QUOTE;
}

/** Divides by a billion, 16 bits at a time, so that each step fits a double. */
function writeBeyondDoubles(sink: ByteSink, low: number, high: number): void {
  const middle = (high % BILLION) * 0x1_0000 + (low >>> 16);
  const last = (middle % BILLION) * 0x1_0000 + (low & 0xffff);
  const billions =
    Math.floor(high / BILLION) * 0x1_0000_0000 +
    Math.floor(middle / BILLION) * 0x1_0000 +
    Math.floor(last / BILLION);
  writeInteger(sink, billions);
  writeDigits(sink, last % BILLION, 9);
}

function digitsOf(value: number): number {
  if (value < 100) return value < 10 ? 1 : 2;
  if (value < 10_000) return value < 1000 ? 3 : 4;
  if (value < 1_000_000) return value < 100_000 ? 5 : 6;
  return value < 10_000_000 ? 7 : value < 100_000_000 ? 8 : 9;
}

/** From here on to write doubles at once is worth the calls. */
export const MANY_DOUBLES = 6;

/** Writes lists of a scalar type: `write` does it one by one, which long ones of doubles are not. */
export function numberListWriter(type: ScalarType, write: WriteValue): WriteValue {
  if (type !== ScalarType.DOUBLE && type !== ScalarType.FLOAT) return write;
  const isFloat = type === ScalarType.FLOAT;
  return (sink, key, value, depth) => {
    const numbers = Array.isArray(value) && value.length >= MANY_DOUBLES;
    const finite = numbers ? finiteNumbers(value, isFloat) : undefined;
    if (finite === undefined) return write(sink, key, value, depth);
    writeFragment(sink, key);
    const start = sink.at;
    writeDoubles(sink, finite);
    closeArray(sink, start);
  };
}

/** A copy, which no getter can change any more; undefined where an item is something else. */
function finiteNumbers(items: readonly unknown[], isFloat: boolean): number[] | undefined {
  const numbers: number[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item !== 'number') return undefined;
    const number = isFloat ? Math.fround(item) : item;
    if (!Number.isFinite(number)) return undefined;
    numbers.push(number);
  }
  return numbers;
}
