import { isUtf8 } from 'node:buffer';
import { type DescEnum, ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import { lengthOfCharacter } from '../../../bytes/utf8.js';
import type { WireSource, LongRead } from '../../../wire/wire-source.js';
import { MOST_OF_UNIT, PLAIN, escapeWritten, writeEscape } from '../text.js';
import { writeFragment, type JsonFragment, FALSE, TRUE } from '../fragments.js';
import { writeBase64 } from '../../base64.js';
import { enumNameWriter } from '../scalar-values.js';
import { writeDouble, writeInteger, writeLong } from '../numbers.js';
import { type StreamValue, stopStreaming } from './stream.js';

/** Up to this many bytes a loop is faster than the platform's copy. */
const LOOPED_BYTES = 64;
const QUOTE = 0x22;

/** Copies text from the wire into quotes, with escapes where JSON needs them. */
export const streamText: StreamValue = (source, sink, key, _, skipZero) => {
  const to = source.lengthEnd();
  const from = source.at;
  if (skipZero && from === to) return;
  writeFragment(sink, key);
  source.at = to;
  sink.reserve(to - from + 2);
  if (to - from > LOOPED_BYTES) {
    streamLongText(source, sink, from, to);
    return;
  }
  const { bytes } = source;
  const target = sink.bytes;
  let { at } = sink;
  target[at++] = QUOTE;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (PLAIN[byte] !== 1) {
      sink.at = at;
      streamOthers(source, sink, i, to);
      return;
    }
    target[at++] = byte;
  }
  target[at++] = QUOTE;
  sink.at = at;
};

/** Copies the characters from `from` on, whatever they are, and writes the closing quote. */
function streamOthers(source: WireSource, sink: ByteSink, from: number, to: number): void {
  sink.reserve((to - from) * MOST_OF_UNIT + 1);
  const { bytes } = source;
  const target = sink.bytes;
  let { at } = sink;
  for (let i = from; i < to;) {
    const byte = bytes[i]!;
    if (PLAIN[byte] === 1) {
      target[at++] = byte;
      i++;
    } else if (byte < 0x80) {
      at = writeEscape(target, at, byte);
      i++;
    } else {
      const end = i + lengthOfCharacter(bytes, i, to);
      if (end === i) stopStreaming();
      while (i < end) target[at++] = bytes[i++]!;
    }
  }
  target[at] = QUOTE;
  sink.at = at + 1;
}

function streamLongText(source: WireSource, sink: ByteSink, from: number, to: number): void {
  const { bytes } = source;
  if (!isUtf8(bytes.subarray(from, to))) stopStreaming();
  sink.bytes[sink.at++] = QUOTE;
  const start = sink.at;
  sink.at += bytes.copy(sink.bytes, start, from, to);
  escapeWritten(sink, start);
  sink.reserve(1);
  sink.bytes[sink.at++] = QUOTE;
}

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
