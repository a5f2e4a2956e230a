import { type DescEnum, ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { writeBase64 } from '../base64.js';
import { enumNameWriter } from '../enum-values.js';
import { type JsonFragment, FALSE, TRUE, writeFragment } from '../fragments.js';
import { writeDouble, writeInteger, writeLong } from '../numbers.js';
import { streamText } from './stream-text.js';
import { type StreamValue, stopStreaming } from './stream.js';

export function streamScalar(type: ScalarType): StreamValue {
  switch (type) {
    case ScalarType.STRING:
      return streamText;
    case ScalarType.BYTES:
      return streamBytes;
    case ScalarType.BOOL:
      return streamBool;
    case ScalarType.DOUBLE:
      return streamDouble;
    case ScalarType.FLOAT:
      return streamFloat;
    case ScalarType.INT32:
      return streamInt32;
    case ScalarType.UINT32:
      return streamUint32;
    case ScalarType.SINT32:
      return streamSint32;
    case ScalarType.FIXED32:
      return (source, sink, key, _, skipZero) => integer(sink, key, source.fixed32(), skipZero);
    case ScalarType.SFIXED32:
      return (source, sink, key, _, skipZero) => integer(sink, key, source.sfixed32(), skipZero);
    case ScalarType.INT64:
    case ScalarType.UINT64: {
      const signed = type === ScalarType.INT64;
      return (source, sink, key, _, skipZero) => {
        source.varint64();
        long(sink, key, source.lower, source.upper, signed, skipZero);
      };
    }
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64: {
      const signed = type === ScalarType.SFIXED64;
      return (source, sink, key, _, skipZero) => {
        source.fixed64();
        long(sink, key, source.lower, source.upper, signed, skipZero);
      };
    }
    case ScalarType.SINT64:
      return (source, sink, key, _, skipZero) => {
        source.varint64();
        const { lower, upper } = source;
        const sign = -(lower & 1);
        const low = ((lower >>> 1) | (upper << 31)) ^ sign;
        long(sink, key, low, (upper >>> 1) ^ sign, true, skipZero);
      };
  }
}

/** A closed enum does not hold what it does not know: only a message says what becomes of it. */
export function streamEnum(desc: DescEnum, asNumber: boolean): StreamValue {
  const write = enumNameWriter(desc, asNumber);
  const known = desc.open ? undefined : new Set(desc.values.map(({ number }) => number));
  const zero = desc.values[0]!.number;
  return (source, sink, key, _, skipZero) => {
    const value = int32(source);
    if (known?.has(value) === false) stopStreaming();
    if (skipZero && value === zero) return;
    writeFragment(sink, key);
    write(sink, value);
  };
}

function streamInt32(
  source: WireSource,
  sink: ByteSink,
  key: JsonFragment,
  _depth: number,
  skipZero: boolean,
): void {
  integer(sink, key, int32(source), skipZero);
}

function streamUint32(
  source: WireSource,
  sink: ByteSink,
  key: JsonFragment,
  _depth: number,
  skipZero: boolean,
): void {
  integer(sink, key, source.varint32(), skipZero);
}

function streamSint32(
  source: WireSource,
  sink: ByteSink,
  key: JsonFragment,
  _depth: number,
  skipZero: boolean,
): void {
  const zigzag = source.varint32();
  integer(sink, key, (zigzag >>> 1) ^ -(zigzag & 1), skipZero);
}

function streamBool(
  source: WireSource,
  sink: ByteSink,
  key: JsonFragment,
  _depth: number,
  skipZero: boolean,
): void {
  source.varint64();
  const value = source.lower !== 0 || source.upper !== 0;
  if (skipZero && !value) return;
  writeFragment(sink, key);
  writeFragment(sink, value ? TRUE : FALSE);
}

function streamBytes(
  source: WireSource,
  sink: ByteSink,
  key: JsonFragment,
  _depth: number,
  skipZero: boolean,
): void {
  const to = source.lengthEnd();
  const from = source.at;
  source.at = to;
  if (skipZero && from === to) return;
  writeFragment(sink, key);
  writeBase64(sink, source.bytes, from, to);
}

function streamDouble(
  source: WireSource,
  sink: ByteSink,
  key: JsonFragment,
  _depth: number,
  skipZero: boolean,
): void {
  double(sink, key, source.double(), skipZero);
}

function streamFloat(
  source: WireSource,
  sink: ByteSink,
  key: JsonFragment,
  _depth: number,
  skipZero: boolean,
): void {
  double(sink, key, source.float(), skipZero);
}

function int32(source: WireSource): number {
  return source.varint32() | 0;
}

function integer(sink: ByteSink, key: JsonFragment, value: number, skipZero: boolean): void {
  if (skipZero && value === 0) return;
  writeFragment(sink, key);
  writeInteger(sink, value);
}

function double(sink: ByteSink, key: JsonFragment, value: number, skipZero: boolean): void {
  if (skipZero && Object.is(value, 0)) return;
  writeFragment(sink, key);
  writeDouble(sink, value);
}

function long(
  sink: ByteSink,
  key: JsonFragment,
  lower: number,
  upper: number,
  signed: boolean,
  skipZero: boolean,
): void {
  if (skipZero && lower === 0 && upper === 0) return;
  writeFragment(sink, key);
  writeLong(sink, lower, upper, signed);
}
