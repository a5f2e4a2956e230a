import { Buffer } from 'node:buffer';
import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import {
  bytesValue,
  boolValue,
  doubleValue,
  floatValue,
  int32Value,
  uint32Value,
  signedValue,
  unsignedValue,
} from '../../values/scalar-value.js';
import { lowerHalf, splitLong, upperHalf } from '../../values/long-halves.js';
import { refuse } from '../../values/value-error.js';
import { writeTag, type ValueWriter } from './writer.js';

/** Writes values of a scalar type. */
export function scalarWriter(type: ScalarType): ValueWriter {
  return WRITERS[type];
}

/** Writes integers of 32 bits that `check` accepts, such as the numbers of an enum. */
export function int32Writer(check: (value: unknown) => number): ValueWriter {
  return (sink, tag, value, isImplicit) => {
    const integer = check(value);
    if (integer === 0 && isImplicit) return;
    writeTag(sink, tag);
    sink.int32(integer);
  };
}

function longWriter(
  check: (value: unknown) => bigint,
  write: (sink: ByteSink, lower: number, upper: number) => void,
): ValueWriter {
  return (sink, tag, value, isImplicit) => {
    const integer = check(value);
    if (integer === 0n && isImplicit) return;
    writeTag(sink, tag);
    splitLong(integer);
    write(sink, lowerHalf(), upperHalf());
  };
}

function varint64(sink: ByteSink, lower: number, upper: number): void {
  sink.varint64(lower, upper);
}

function zigzag64(sink: ByteSink, lower: number, upper: number): void {
  const sign = upper >> 31;
  sink.varint64((lower << 1) ^ sign, ((upper << 1) | (lower >>> 31)) ^ sign);
}

function fixed64(sink: ByteSink, lower: number, upper: number): void {
  sink.fixed32(lower);
  sink.fixed32(upper);
}

const fixed32: (check: (value: unknown) => number) => ValueWriter =
  (check) => (sink, tag, value, isImplicit) => {
    const integer = check(value);
    if (integer === 0 && isImplicit) return;
    writeTag(sink, tag);
    sink.fixed32(integer);
  };

const WRITERS: Readonly<Record<ScalarType, ValueWriter>> = {
  [ScalarType.STRING]: writeText,
  [ScalarType.INT32]: int32Writer(int32Value),
  [ScalarType.INT64]: longWriter(signedValue, varint64),
  [ScalarType.UINT64]: longWriter(unsignedValue, varint64),
  [ScalarType.SINT64]: longWriter(signedValue, zigzag64),
  [ScalarType.FIXED64]: longWriter(unsignedValue, fixed64),
  [ScalarType.SFIXED64]: longWriter(signedValue, fixed64),
  [ScalarType.FIXED32]: fixed32(uint32Value),
  [ScalarType.SFIXED32]: fixed32(int32Value),
  [ScalarType.UINT32]: (sink, tag, value, isImplicit) => {
    const integer = uint32Value(value);
    if (integer === 0 && isImplicit) return;
    writeTag(sink, tag);
    sink.varint32(integer);
  },
  [ScalarType.SINT32]: (sink, tag, value, isImplicit) => {
    const integer = int32Value(value);
    if (integer === 0 && isImplicit) return;
    writeTag(sink, tag);
    sink.varint32((integer << 1) ^ (integer >> 31));
  },
  [ScalarType.BOOL]: (sink, tag, value, isImplicit) => {
    const truth = boolValue(value);
    if (!truth && isImplicit) return;
    writeTag(sink, tag);
    sink.varint32(truth ? 1 : 0);
  },
  [ScalarType.DOUBLE]: (sink, tag, value, isImplicit) => {
    const number = doubleValue(value);
    // The zero with a sign is not the zero of the type.
    if (isImplicit && Object.is(number, 0)) return;
    writeTag(sink, tag);
    sink.double(number);
  },
  [ScalarType.FLOAT]: (sink, tag, value, isImplicit) => {
    const number = floatValue(value);
    if (isImplicit && Object.is(value, 0)) return;
    writeTag(sink, tag);
    sink.float(number);
  },
  [ScalarType.BYTES]: (sink, tag, value, isImplicit) => {
    const bytes = bytesValue(value);
    if (bytes.length === 0 && isImplicit) return;
    writeTag(sink, tag);
    sink.varint32(bytes.length);
    sink.append(bytes);
  },
};

/** Up to here a loop over ASCII is faster than the encoder of the platform; below 128. */
const LOOPED_LENGTH = 48;

/** Up to here three bytes for each unit are reserved; below 2 ** 14 / 3. */
const MEASURED_LENGTH = 4096;

/** Writes a text with its tag and length; a surrogate without its other half becomes U+FFFD. */
export function writeText(sink: ByteSink, tag: number, value: unknown, isImplicit: boolean): void {
  if (typeof value !== 'string') return refuse('a string', value);
  if (isImplicit && value === '') return;
  writeTag(sink, tag);
  if (value.length > LOOPED_LENGTH || !writeAscii(sink, value)) writeUtf8(sink, value);
}

function writeAscii(sink: ByteSink, text: string): boolean {
  const { length } = text;
  sink.reserve(length + 1);
  const { bytes } = sink;
  let { at } = sink;
  bytes[at++] = length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return false;
    bytes[at++] = code;
  }
  sink.at = at;
  return true;
}

function writeUtf8(sink: ByteSink, text: string): void {
  const { length } = text;
  if (length > MEASURED_LENGTH) return writeMeasured(sink, text);
  // At most three bytes for each unit of UTF-16, after a length of two bytes, or of one.
  sink.reserve(length * 3 + 2);
  const { bytes, at } = sink;
  const room = length < 0x80 ? 1 : 2;
  const written = bytes.write(text, at + room);
  if (written >= 0x80 && room === 1) bytes.copyWithin(at + 2, at + 1, at + 1 + written);
  sink.varint32(written);
  sink.at += written;
}

/** A large text is measured first, so as not to take three times its memory. */
function writeMeasured(sink: ByteSink, text: string): void {
  const length = Buffer.byteLength(text);
  sink.varint32(length);
  sink.reserve(length);
  sink.bytes.write(text, sink.at, length);
  sink.at += length;
}
