import { ScalarType } from '@bufbuild/protobuf';
import { type ByteSink, LengthPrefix } from '../../bytes/byte-sink.js';
import { base64Length, decodeBase64 } from '../base64.js';
import { scalarWriter, writeText } from '../../wire/write/scalar-writer.js';
import { writeCodePoint } from '../../bytes/utf8.js';
import type { JsonSource } from './json-source.js';
import { readDouble, readInt32, readUint32 } from './numbers.js';
import { jsonScalarReader, readBytes } from './scalars.js';
import {
  escapedPoint,
  lengthOfEscape,
  BACKSLASH,
  BEYOND_ASCII,
  IN_STRING,
  PLAIN,
  QUOTE,
} from './string-bytes.js';

/** Reads a value other than `null` and writes it in the wire format, without its tag. */
export type TranscodeValue = (source: JsonSource, sink: ByteSink) => void;

const TWO_TO_32 = 2 ** 32;
/** Below this a loop copies faster than the platform does. */
const COPIED_BY_LOOP = 24;

export function scalarTranscoder(type: ScalarType): TranscodeValue {
  const direct = DIRECT[type];
  if (direct !== undefined) return direct;
  const read = jsonScalarReader(type, false);
  const write = scalarWriter(type);
  const inFull: TranscodeValue = (source, sink) => write(sink, 0, read(source), false);
  if (type === ScalarType.INT64) return varintTranscoder(-Infinity, inFull);
  return type === ScalarType.UINT64 ? varintTranscoder(0, inFull) : inFull;
}

/** The frequent ones, without a call to a reader and a writer that vary. */
const DIRECT: Partial<Readonly<Record<ScalarType, TranscodeValue>>> = {
  [ScalarType.STRING]: writeString,
  [ScalarType.BYTES]: writeBytes,
  [ScalarType.DOUBLE]: (source, sink) => sink.double(readDouble(source)),
  [ScalarType.INT32]: (source, sink) => sink.int32(readInt32(source)),
  [ScalarType.UINT32]: (source, sink) => sink.varint32(readUint32(source)),
};

/** The bytes of the string between its quotes, where it has no escapes, as they are. */
export function writeString(source: JsonSource, sink: ByteSink): void {
  if (source.peek() !== 0x22) source.expected('string');
  const from = source.at + 1;
  const to = source.plainString();
  if (to === -1) {
    writeEscaped(source, sink);
    return;
  }
  const length = to - from;
  sink.varint32(length);
  sink.reserve(length);
  const { bytes, at } = sink;
  if (length > COPIED_BY_LOOP) source.bytes.copy(bytes, at, from, to);
  else for (let i = 0; i < length; i += 1) bytes[at + i] = source.bytes[from + i]!;
  sink.at = at + length;
}

const textLength = new LengthPrefix();

function writeEscaped(source: JsonSource, sink: ByteSink): void {
  const start = textLength.open(sink);
  if (appendString(source, sink)) {
    textLength.close(sink, start);
    return;
  }
  // That call reports what is wrong with it.
  sink.at = start;
  appendText(sink, source.string());
}

export function appendText(sink: ByteSink, text: string): void {
  writeText(sink, 0, text, false);
}

function writeBytes(source: JsonSource, sink: ByteSink): void {
  if (source.peek() !== 0x22) source.expected('bytes as base64 in quotes');
  const before = source.at;
  const to = source.plainString();
  const length = to === -1 ? -1 : base64Length(source.bytes, before + 1, to);
  if (length !== -1) {
    const start = sink.at;
    sink.varint32(length);
    sink.reserve(length);
    if (decodeBase64(source.bytes, before + 1, to, sink.bytes, sink.at)) {
      sink.at += length;
      return;
    }
    sink.at = start;
  }
  source.at = before;
  const bytes = readBytes(source);
  sink.varint32(bytes.length);
  sink.append(bytes);
}

/** @param min of the short ones, for which no bigint is made. */
function varintTranscoder(min: number, inFull: TranscodeValue): TranscodeValue {
  return (source, sink) => {
    const { at } = source;
    const short = source.shortInteger();
    if (short !== undefined && short >= min) {
      sink.varint64(short % TWO_TO_32, Math.floor(short / TWO_TO_32));
      return;
    }
    source.at = at;
    inFull(source, sink);
  };
}

/** Bytes for which room is made at a time. */
const CHUNK = 4096;

/**
 * Reads a string, whose opening quote is next, and appends its text as UTF-8, which takes no more bytes
 * than the JSON. Returns false and reads nothing for an invalid string and for half of a surrogate pair.
 */
function appendString(source: JsonSource, sink: ByteSink): boolean {
  const { bytes, end } = source;
  let i = source.at + 1;
  while (i < end) {
    const limit = Math.min(i + CHUNK, end);
    sink.reserve(CHUNK + 4);
    const target = sink.bytes;
    let { at } = sink;
    while (i < limit) {
      const byte = bytes[i]!;
      const kind = IN_STRING[byte]!;
      if (kind === PLAIN || kind === BEYOND_ASCII) {
        target[at++] = byte;
        i++;
        continue;
      }
      if (kind !== BACKSLASH) {
        if (kind !== QUOTE) return false;
        source.at = i + 1;
        sink.at = at;
        return true;
      }
      const point = escapedPoint(bytes, i);
      if (point === -1) return false;
      i += lengthOfEscape(bytes, i, point);
      if (point < 0x80) target[at++] = point;
      else at = writeCodePoint(target, at, point);
    }
    sink.at = at;
  }
  return false;
}
