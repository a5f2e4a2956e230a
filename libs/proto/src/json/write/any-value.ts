import type { DescMessage, Message, Registry } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { wireCodec } from '../../wire/wire-codec.js';
import {
  type JsonFragment,
  NOTHING,
  closeObject,
  keyFragment,
  writeFragment,
} from './fragments.js';
import { writeJsonText } from './text.js';
import {
  UnwritableError,
  leaving,
  unexpected,
  type WriteValue,
  checkJsonDepth,
  isObject,
} from './write-value.js';

const TYPE_NAME = 'google.protobuf.Any';
const TYPE_KEY = keyFragment('@type');
const VALUE_KEY = keyFragment('value');
const COMMA = 0x2c;

/** Writes what an Any holds, from its parts. */
export type WritePacked = (
  sink: ByteSink,
  key: JsonFragment,
  typeUrl: string,
  value: Uint8Array,
  depth: number,
) => void;

export function anyWriter(writePacked: WritePacked): WriteValue {
  return (sink, key, any, depth) => {
    if (!isObject(any) || any['$typeName'] !== TYPE_NAME) unexpected(`a message ${TYPE_NAME}`, any);
    const { typeUrl, value } = any;
    if (typeof typeUrl !== 'string') unexpected('string as typeUrl', typeUrl);
    if (!(value instanceof Uint8Array)) unexpected('a Uint8Array as value', value);
    writePacked(sink, key, typeUrl, value, depth);
  };
}

/** @param writerOf the writer of a message type in an Any. */
export function packedWriter(
  registry: Registry,
  writerOf: (desc: DescMessage) => WriteValue,
): WritePacked {
  return (sink, key, typeUrl, value, depth) => {
    checkJsonDepth(depth);
    writeFragment(sink, key);
    const start = sink.at;
    if (typeUrl !== '') {
      const desc = typeOf(typeUrl, registry);
      const message = unpacked(desc, value);
      // Why: docs/decisions/0200
      writeFragment(sink, TYPE_KEY);
      writeJsonText(sink, typeUrl);
      try {
        writeContent(sink, desc, message, writerOf(desc), depth + 1);
      } catch (error) {
        throw leaving(error, 'value');
      }
    }
    closeObject(sink, start);
  };
}

/** Writes the members of the content, each with its comma, and leaves the object open. */
function writeContent(
  sink: ByteSink,
  desc: DescMessage,
  message: Message,
  write: WriteValue,
  depth: number,
): void {
  if (hasCustomJsonRepresentation(desc)) {
    write(sink, VALUE_KEY, message, depth);
    return;
  }
  const start = sink.at;
  write(sink, NOTHING, message, depth);
  // The content was written as an object: its closing bracket is removed, and all of it if it is empty.
  if (sink.at === start + 2) sink.at = start;
  else {
    sink.bytes[start] = COMMA;
    sink.at -= 1;
  }
}

function typeOf(typeUrl: string, registry: Registry): DescMessage {
  const desc = registry.getMessage(typeUrl.slice(typeUrl.lastIndexOf('/') + 1));
  if (desc === undefined) {
    throw new UnwritableError(`the type registry has no ${JSON.stringify(typeUrl)} of this Any`);
  }
  if (desc.fields.some((field) => field.jsonName === '@type')) {
    throw new UnwritableError(`${desc.typeName} has a member "@type" of its own, as this Any has`);
  }
  return desc;
}

function unpacked(desc: DescMessage, value: Uint8Array): Message {
  try {
    return wireCodec(desc).decodePartial(value);
  } catch (error) {
    throw new UnwritableError(`the value of this Any is not a message ${desc.typeName}`, {
      cause: error,
    });
  }
}
