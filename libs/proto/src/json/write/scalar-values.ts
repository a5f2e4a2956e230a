import { ScalarType, type DescEnum } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { writeBase64 } from '../base64.js';
import { INT64, type IntegerRange, UINT64 } from '../../values/integer-range.js';
import { lowerHalf, splitLong, upperHalf } from '../../values/long-halves.js';
import { type JsonFragment, FALSE, TRUE, writeFragment, NULL, fragment } from './fragments.js';
import { writeDouble, writeInteger, writeLong } from './numbers.js';
import { writeKeyedText } from './text.js';
import { unexpected, type WriteValue } from './write-value.js';

/** Writes the values of a scalar type, refusing those that the wire format would refuse. */
export function jsonScalarWriter(type: ScalarType): WriteValue {
  switch (type) {
    case ScalarType.STRING:
      return writeString;
    case ScalarType.BOOL:
      return writeBool;
    case ScalarType.BYTES:
      return writeBytes;
    case ScalarType.DOUBLE:
      return writeDoubleValue;
    case ScalarType.FLOAT:
      return writeFloat;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return writeUint32;
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return writeInt32;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return writeUint64;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return writeInt64;
  }
}

function writeString(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'string') unexpected('string', value);
  writeKeyedText(sink, key, value);
}

function writeBool(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'boolean') unexpected('bool', value);
  writeFragment(sink, key);
  writeFragment(sink, value ? TRUE : FALSE);
}

function writeBytes(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (!(value instanceof Uint8Array)) unexpected('a Uint8Array', value);
  writeFragment(sink, key);
  writeBase64(sink, value, 0, value.length);
}

function writeDoubleValue(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'number') unexpected('double', value);
  writeFragment(sink, key);
  writeDouble(sink, value);
}

function writeFloat(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'number') unexpected('float', value);
  const float = Math.fround(value);
  if (!Number.isFinite(float) && Number.isFinite(value)) unexpected('float', value);
  writeFragment(sink, key);
  writeDouble(sink, float);
}

function writeInt32(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'number' || (value | 0) !== value) unexpected('int32', value);
  writeFragment(sink, key);
  writeInteger(sink, value);
}

function writeUint32(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'number' || value >>> 0 !== value) unexpected('uint32', value);
  writeFragment(sink, key);
  writeInteger(sink, value);
}

const INTEGER = /^-?\d+$/;

/** 64-bit integers are bigint, or integers as number or text; JSON has them in quotes. */
const writeInt64 = longWriter(INT64);
const writeUint64 = longWriter(UINT64);

/** What a field of type int64 holds. */
export function int64Of(value: unknown): bigint {
  return longOf(value, INT64);
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

/** Values of an enum from 0 up to this are looked up by index. */
const LISTED_VALUES = 256;

/** Writes the name of an int32 in an enum; an unknown value is written as a number. */
type WriteEnum = (sink: ByteSink, number: number) => void;

export function enumNameWriter(desc: DescEnum, asNumber: boolean): WriteEnum {
  if (desc.typeName === 'google.protobuf.NullValue') return (sink) => writeFragment(sink, NULL);
  if (asNumber) return writeInteger;
  const listed: JsonFragment[] = [];
  const others = new Map<number, JsonFragment>();
  for (const [key, value] of Object.entries(desc.value)) {
    const number = Number(key);
    const name = fragment(JSON.stringify(value.jsonName));
    if (number >= 0 && number < LISTED_VALUES) listed[number] = name;
    else others.set(number, name);
  }
  return (sink, number) => {
    const name = number >= 0 && number < listed.length ? listed[number] : others.get(number);
    if (name === undefined) writeInteger(sink, number);
    else writeFragment(sink, name);
  };
}

export function enumWriter(desc: DescEnum, asNumber: boolean): WriteValue {
  const writeName = enumNameWriter(desc, asNumber);
  return (sink, key, value) => {
    if (typeof value !== 'number' || (value | 0) !== value) {
      unexpected(`a number of the enum ${desc.typeName}`, value);
    }
    writeFragment(sink, key);
    writeName(sink, value);
  };
}
