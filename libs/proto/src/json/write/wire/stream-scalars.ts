import { type DescEnum, ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { LongRead } from '../../../wire/wire-source.js';
import { writeBase64 } from '../base64.js';
import { enumNameWriter } from '../enum-values.js';
import { type JsonFragment, FALSE, TRUE, writeFragment } from '../fragments.js';
import { writeDouble, writeInteger, writeLong } from '../numbers.js';
import { streamText } from './stream-text.js';
import { type StreamValue, stopStreaming } from './stream.js';

export function streamScalar(type: ScalarType): StreamValue {
  return STREAMS[type];
}

/** A closed enum cannot hold an unknown value: only reading the message shows what becomes of it. */
export function streamEnum(desc: DescEnum, asNumber: boolean): StreamValue {
  const write = enumNameWriter(desc, asNumber);
  const known = desc.open ? undefined : new Set(desc.values.map(({ number }) => number));
  const zero = desc.values[0]!.number;
  return (source, sink, key, _, skipZero) => {
    const value = source.int32();
    if (known?.has(value) === false) stopStreaming();
    if (skipZero && value === zero) return;
    writeFragment(sink, key);
    write(sink, value);
  };
}

const streamBool: StreamValue = (source, sink, key, _, skipZero) => {
  const value = source.bool();
  if (skipZero && !value) return;
  writeFragment(sink, key);
  writeFragment(sink, value ? TRUE : FALSE);
};

const streamBytes: StreamValue = (source, sink, key, _, skipZero) => {
  const to = source.lengthEnd();
  const from = source.at;
  source.at = to;
  if (skipZero && from === to) return;
  writeFragment(sink, key);
  writeBase64(sink, source.bytes, from, to);
};

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

function streamLong(read: LongRead, signed: boolean): StreamValue {
  return (source, sink, key, _, skipZero) => {
    source[read]();
    const { lower, upper } = source;
    if (skipZero && lower === 0 && upper === 0) return;
    writeFragment(sink, key);
    writeLong(sink, lower, upper, signed);
  };
}

const STREAMS: Readonly<Record<ScalarType, StreamValue>> = {
  [ScalarType.STRING]: streamText,
  [ScalarType.BYTES]: streamBytes,
  [ScalarType.BOOL]: streamBool,
  [ScalarType.DOUBLE]: (source, sink, key, _, skip) => double(sink, key, source.double(), skip),
  [ScalarType.FLOAT]: (source, sink, key, _, skip) => double(sink, key, source.float(), skip),
  [ScalarType.INT32]: (source, sink, key, _, skip) => integer(sink, key, source.int32(), skip),
  [ScalarType.UINT32]: (source, sink, key, _, skip) => integer(sink, key, source.varint32(), skip),
  [ScalarType.SINT32]: (source, sink, key, _, skip) => integer(sink, key, source.sint32(), skip),
  [ScalarType.FIXED32]: (source, sink, key, _, skip) => integer(sink, key, source.fixed32(), skip),
  [ScalarType.SFIXED32]: (source, sink, key, _, skip) =>
    integer(sink, key, source.sfixed32(), skip),
  [ScalarType.INT64]: streamLong('varint64', true),
  [ScalarType.UINT64]: streamLong('varint64', false),
  [ScalarType.SINT64]: streamLong('zigzag64', true),
  [ScalarType.FIXED64]: streamLong('fixed64', false),
  [ScalarType.SFIXED64]: streamLong('fixed64', true),
};
