import { WireType } from '@bufbuild/protobuf/wire';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { LengthPrefix } from '../../bytes/length-prefix.js';
import { localForm } from '../../values/local-form.js';
import { type MessageField, tagOf, isGroup, wireTypeOf } from '../wire-type.js';
import { scalarWriter } from './scalar-writer.js';
import { checkDepth, writeStruct } from './struct-writer.js';
import { writeTag, type BodyWriter, type WriterOf } from './writer.js';

/** Writes the messages of a field, each with its tag. */
export function bodyWriter(field: MessageField, writerOf: WriterOf, number: number): BodyWriter {
  const write = formWriter(field, writerOf);
  if (isGroup(field)) {
    const startTag = tagOf(number, WireType.StartGroup);
    const endTag = tagOf(number, WireType.EndGroup);
    return (sink, value, depth) => {
      writeTag(sink, startTag);
      write(sink, value, depth + 1);
      writeTag(sink, endTag);
    };
  }
  const tag = tagOf(number, WireType.LengthDelimited);
  const length = new LengthPrefix();
  return (sink, value, depth) => {
    writeTag(sink, tag);
    const start = length.open(sink);
    write(sink, value, depth + 1);
    length.close(sink, start);
  };
}

function formWriter(field: MessageField, writerOf: WriterOf): BodyWriter {
  switch (localForm(field)) {
    case 'struct':
      return writeStruct;
    case 'wrapper':
      return wrapperWriter(field);
    case 'message': {
      let write: BodyWriter | undefined;
      return (sink: ByteSink, value: unknown, depth: number) =>
        (write ??= writerOf(field.message))(sink, value, depth);
    }
  }
}

/** A field keeps the value alone, and its message has the zero too, so that is not written. */
function wrapperWriter({ message }: MessageField): BodyWriter {
  const scalar = message.fields[0]!.scalar!;
  const write = scalarWriter(scalar);
  const tag = tagOf(1, wireTypeOf(scalar));
  return (sink, value, depth) => {
    checkDepth(depth);
    write(sink, tag, value, true);
  };
}
