import { ScalarType } from '@bufbuild/protobuf';
import {
  INT32,
  INT64,
  type IntegerRange,
  UINT32,
  UINT64,
  integerRangeOf,
} from '../../values/integer-range.js';
import { clip, quote } from '../json-decode-error.js';
import type { JsonSource } from './json-source.js';

/** Beyond this a number is infinite as a float: the middle between the largest one and 2^128. */
const FLOAT_OVERFLOW = 3.4028235677973366e38;
/** A number in quotes: as in JSON, or with zeros before it. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function readInt32(source: JsonSource): number {
  const short = source.shortInteger();
  return short !== undefined && short >= -0x8000_0000 && short <= 0x7fff_ffff
    ? short
    : Number(integer(source, INT32, short));
}

export function readUint32(source: JsonSource): number {
  const short = source.shortInteger();
  return short !== undefined && short >= 0 && short <= 0xffff_ffff
    ? short
    : Number(integer(source, UINT32, short));
}

export function readInt64(source: JsonSource): bigint {
  const short = source.shortInteger();
  return short === undefined ? integer(source, INT64) : BigInt(short);
}

export function readUint64(source: JsonSource): bigint {
  const short = source.shortInteger();
  return short !== undefined && short >= 0 ? BigInt(short) : integer(source, UINT64, short);
}

/** @param read what was read already, if it was. */
function integer(source: JsonSource, range: IntegerRange, read?: number): bigint {
  const isText = read === undefined && source.peek() === 0x22;
  const text = read === undefined ? numberText(source, range.type) : String(read);
  const value = integerIn(source, text, range);
  if (source.isParsed && !isText && !Number.isSafeInteger(Number(value))) {
    source.fail(`the number ${text} may have lost digits before it came here; send it as text`);
  }
  return value;
}

/** The integer that a text is, a map's key for one. */
function integerIn(source: JsonSource, text: string, range: IntegerRange): bigint {
  const { type, min, max } = range;
  if (!NUMBER.test(text)) return source.fail(`expected number (${type}), got ${quote(text)}`);
  const digits = integerDigits(text);
  const value = digits === null ? undefined : BigInt(digits);
  if (value !== undefined && value >= min && value <= max) return value;
  if (value !== undefined || Number(text) < Number(min) || Number(text) > Number(max)) {
    return source.fail(`${clip(text)} is out of range (${type})`);
  }
  const wanted = max > 2n ** 53n ? 'a 64-bit integer' : `number (${type}) without a fraction`;
  return source.fail(`expected ${wanted}, got ${clip(text)}`);
}

export function readDouble(source: JsonSource): number {
  return source.shortInteger() ?? floating(source, 'double', Number.MAX_VALUE);
}

export function readFloat(source: JsonSource): number {
  return Math.fround(source.shortInteger() ?? floating(source, 'float', FLOAT_OVERFLOW));
}

function floating(source: JsonSource, type: string, max: number): number {
  if (source.peek() === 0x22) {
    const from = source.at;
    const text = source.string();
    if (text === 'NaN' || text === 'Infinity' || text === '-Infinity') return Number(text);
    source.at = from;
  }
  const text = numberText(source, type);
  const value = Number(text);
  // The largest float is rounded to, not beyond.
  if (type === 'float' ? Math.abs(value) < max : Math.abs(value) <= max) return value;
  return source.fail(`${clip(text)} is out of range (${type})`);
}

/** The text of a number, in quotes or not. */
function numberText(source: JsonSource, type: string): string {
  if (source.peek() !== 0x22) return source.number() || source.expected(`number (${type})`);
  const text = source.string();
  return NUMBER.test(text) ? text : source.fail(`expected number (${type}), got ${quote(text)}`);
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Digits of the longest 64-bit integer. */
const MAX_DIGITS = 20;

/**
 * The longest text that is tried as a 64-bit integer. Leading and trailing zeros have no end, but
 * to look at millions of them takes long.
 */
const LONGEST_INTEGER_TEXT = 64;

/**
 * A number's text as plain integer digits, `1.2e3` as `1200`; null where it is not an integer, or one that
 * no 64-bit field can hold.
 */
export function integerDigits(text: string): string | null {
  if (text.length > LONGEST_INTEGER_TEXT) return null;
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const significant = digits.replace(/0+$/, '');
  if (significant === '' || /^0+$/.test(significant)) return '0';
  const zeros = digits.length - significant.length - fraction.length + Number(exponent);
  const integer = significant.replace(/^0+/, '');
  if (zeros < 0 || integer.length + zeros > MAX_DIGITS) return null;
  return sign + integer + '0'.repeat(zeros);
}

/** Gives the one text of a map's key, so that `01` and `1` are the same. */
type ReadMapKey = (source: JsonSource, key: string) => string;

export function mapKeyReader(type: ScalarType): ReadMapKey {
  const range = integerRangeOf(type);
  if (range !== undefined) return integerKey(range);
  return type === ScalarType.BOOL ? readBoolKey : (_source, key) => key;
}

function readBoolKey(source: JsonSource, key: string): string {
  if (key === 'true' || key === 'false') return key;
  return source.fail(`expected true or false as key, got ${quote(key)}`);
}

function integerKey(range: IntegerRange): ReadMapKey {
  return (source, key) => String(integerIn(source, key, range));
}
