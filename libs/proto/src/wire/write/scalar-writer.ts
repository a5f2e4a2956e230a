import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { bytesValue } from '../../values/bytes-value.js';
import {
  boolValue,
  doubleValue,
  floatValue,
  int32Value,
  uint32Value,
} from '../../values/scalar-value.js';
import { lowerHalf, splitLong, upperHalf } from '../../values/long-halves.js';
import { signedValue, unsignedValue } from '../../values/long-value.js';
import { writeTag } from './tags.js';
import { writeText } from './text-writer.js';
import type { ValueWriter } from './writer.js';

/** Writes values of a scalar type. */
export function scalarWriter(type: ScalarType): ValueWriter {
  return WRITERS[type];
}

/** Writes numbers that are checked by another rule than that of an int32. */
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
