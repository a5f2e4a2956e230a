import type { DescMessage } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { LengthPrefix } from '../../bytes/length-prefix.js';
import { readArray, readEntries } from './containers.js';
import type { JsonSource } from './json-source.js';
import { inValue, readFlagOrNumber, readNested } from './json-value.js';
import type { Seconds } from './times.js';
import { readDuration, readFieldMask, readTimestamp } from './well-known.js';
import { fieldTranscoder } from './field-transcoder.js';
import { type TranscodeValue, appendLong, writeString, appendText } from './transcode-values.js';

/** Writes a type with its own JSON form, except google.protobuf.Any, in the wire format. */
export function wellKnownTranscoder(desc: DescMessage): TranscodeValue {
  switch (desc.typeName) {
    case 'google.protobuf.Timestamp':
      return (source, sink) => writeSeconds(sink, readTimestamp(source));
    case 'google.protobuf.Duration':
      return (source, sink) => writeSeconds(sink, readDuration(source));
    case 'google.protobuf.FieldMask':
      return writeFieldMask;
    case 'google.protobuf.Struct':
      return writeStruct;
    case 'google.protobuf.Value':
      return writeValue;
    case 'google.protobuf.ListValue':
      return writeListValue;
    default:
      return wrapperWriter(desc);
  }
}

function wrapperWriter(desc: DescMessage): TranscodeValue {
  if (!isWrapperDesc(desc)) throw new TypeError(`proto: ${desc.typeName} has no JSON of its own`);
  const { read } = fieldTranscoder(desc.fields[0], wellKnownTranscoder);
  return (source, sink) => {
    if (!source.takeNull()) read(source, sink);
  };
}

function writeSeconds(sink: ByteSink, { seconds, nanos }: Seconds): void {
  if (seconds !== 0n) {
    sink.varint32(0x08);
    appendLong(sink, seconds);
  }
  if (nanos !== 0) {
    sink.varint32(0x10);
    sink.int32(nanos);
  }
}

function writeFieldMask(source: JsonSource, sink: ByteSink): void {
  for (const path of readFieldMask(source)) {
    sink.varint32(0x0a);
    appendText(sink, path);
  }
}

const entryLength = new LengthPrefix();
const valueLength = new LengthPrefix();
const structLength = new LengthPrefix();
const listLength = new LengthPrefix();

interface StructBeingWritten {
  readonly sink: ByteSink;
  readonly keys: Set<string>;
}

function writeStruct(source: JsonSource, sink: ByteSink): void {
  if (source.peek() !== 0x7b) source.expected('google.protobuf.Struct');
  const struct = { sink, keys: new Set<string>() };
  readNested(source, () => readEntries(source, struct, writeMember));
}

function writeMember(source: JsonSource, { sink, keys }: StructBeingWritten, key: string): void {
  if (keys.has(key)) source.fail('given more than once');
  keys.add(key);
  sink.varint32(0x0a);
  const start = entryLength.open(sink);
  sink.varint32(0x0a);
  appendText(sink, key);
  sink.varint32(0x12);
  writeWithLength(source, sink, valueLength, writeValue);
  entryLength.close(sink, start);
}

function writeListValue(source: JsonSource, sink: ByteSink): void {
  if (source.peek() !== 0x5b) source.expected('google.protobuf.ListValue');
  readNested(source, () => readArray(source, sink, writeItem));
}

function writeItem(source: JsonSource, sink: ByteSink): void {
  sink.varint32(0x0a);
  writeWithLength(source, sink, valueLength, writeValue);
}

function writeValue(source: JsonSource, sink: ByteSink): void {
  source.checkInside('google.protobuf.Value');
  switch (source.peek()) {
    case 0x7b:
      sink.varint32(0x2a);
      return inValue(source, () => writeWithLength(source, sink, structLength, writeStruct));
    case 0x5b:
      sink.varint32(0x32);
      return inValue(source, () => writeWithLength(source, sink, listLength, writeListValue));
    case 0x22:
      sink.varint32(0x1a);
      return writeString(source, sink);
    case 0x6e:
      source.takeNull();
      sink.varint32(0x08);
      return sink.varint32(0);
    default: {
      const value = readFlagOrNumber(source);
      if (typeof value === 'boolean') {
        sink.varint32(0x20);
        sink.varint32(value ? 1 : 0);
      } else {
        sink.varint32(0x11);
        sink.double(value);
      }
    }
  }
}

function writeWithLength(
  source: JsonSource,
  sink: ByteSink,
  prefix: LengthPrefix,
  write: TranscodeValue,
): void {
  const start = prefix.open(sink);
  write(source, sink);
  prefix.close(sink, start);
}
