import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation, isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { type ByteSink, LengthPrefix } from '../../bytes/byte-sink.js';
import { peekAny, readAnyValue } from './any.js';
import { fieldTranscoder } from './field-transcoder.js';
import { scalarWriter } from '../../wire/write/scalar-writer.js';
import type { JsonSource } from './json-source.js';
import { ObjectMembers } from './object-members.js';
import { type TranscodeValue, appendText, writeString } from './transcode-values.js';
import { addKey, readArray, readEntries } from './containers.js';
import { inValue, readFlagOrNumber, readNested } from './json-value.js';
import { type Seconds, readDuration, readFieldMask, readTimestamp } from './well-known.js';

const writers = new WeakMap<DescMessage, ObjectTranscoder>();

/** Writes the JSON objects of a type as the wire has its messages, without a message between. */
class ObjectTranscoder {
  #members: ObjectMembers<ByteSink> | undefined;

  constructor(private readonly desc: DescMessage) {}

  write(source: JsonSource, sink: ByteSink, isInAny: boolean): void {
    // Not in the constructor: a message may hold itself.
    this.#members ??= new ObjectMembers(this.desc, {
      of: (field) => fieldTranscoder(field, messageTranscoder),
      refusesUnset: true,
    });
    this.#members.read(source, sink, isInAny);
  }
}

function objectTranscoder(desc: DescMessage): ObjectTranscoder {
  let writer = writers.get(desc);
  if (writer === undefined) {
    writer = new ObjectTranscoder(desc);
    writers.set(desc, writer);
  }
  return writer;
}

/** Writes the messages of a type from their JSON as the wire has them, without a length. */
export function messageTranscoder(desc: DescMessage): TranscodeValue {
  if (desc.typeName === 'google.protobuf.Any') return writeAny;
  if (hasCustomJsonRepresentation(desc)) {
    const write = wellKnownTranscoder(desc);
    return (source, sink) => {
      source.checkInside(desc.typeName);
      write(source, sink);
    };
  }
  const writer = objectTranscoder(desc);
  return (source, sink) => writer.write(source, sink, false);
}

const contentLength = new LengthPrefix();

function writeAny(source: JsonSource, sink: ByteSink): void {
  const type = peekAny(source);
  if (type === undefined) return;
  sink.varint32(0x0a);
  appendText(sink, type.typeUrl);
  const before = sink.at;
  sink.varint32(0x12);
  const start = contentLength.open(sink);
  writeAnyContent(source, sink, type.desc);
  if (contentLength.isEmpty(sink, start)) sink.at = before;
  else contentLength.close(sink, start);
}

/** Writes the content of the google.protobuf.Any that is next, a message of the given type. */
export function writeAnyContent(source: JsonSource, sink: ByteSink, desc: DescMessage): void {
  const level = source.enter('google.protobuf.Any');
  if (hasCustomJsonRepresentation(desc)) {
    const write = messageTranscoder(desc);
    readAnyValue(source, () => write(source, sink));
  } else objectTranscoder(desc).write(source, sink, true);
  source.leave(level);
}

/** Writes a type with its own JSON form, except google.protobuf.Any, in the wire format. */
function wellKnownTranscoder(desc: DescMessage): TranscodeValue {
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

const writeInt64 = scalarWriter(ScalarType.INT64);
const writeInt32 = scalarWriter(ScalarType.INT32);

function writeSeconds(sink: ByteSink, { seconds, nanos }: Seconds): void {
  writeInt64(sink, 0x08, seconds, true);
  writeInt32(sink, 0x10, nanos, true);
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
  addKey(source, keys, key);
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
