import type { DescMessage } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { LengthPrefix } from '../../bytes/length-prefix.js';
import { peekAny, readAnyValue } from './any.js';
import { fieldTranscoder } from './field-transcoder.js';
import type { JsonSource } from './json-source.js';
import { ObjectMembers } from './object-members.js';
import { wellKnownTranscoder } from './well-known-transcoder.js';
import { type TranscodeValue, appendText } from './transcode-values.js';

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
