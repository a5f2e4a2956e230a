import {
  type DescExtension,
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
  mergeFromBinary,
} from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { bytesOf } from '../../bytes/with-sink.js';
import { type MessageFields, type NewMessage, newMessageOf } from '../../message/new-message.js';
import { peekAny } from './any.js';
import { type Entries, addEntry, readArray, readEntries } from './containers.js';
import { enumReader } from './enums.js';
import { fieldWriter } from './field-writer.js';
import { isNullable } from './is-nullable.js';
import type { JsonSource } from './json-source.js';
import { readJsonObject, readListValue, readStruct, readValue } from './json-value.js';
import { keyReader } from './map-keys.js';
import { type FieldReader, Members, type ReadInto } from './members.js';
import { messageWriter, writeAnyContent } from './message-writer.js';
import { type ReadValue, readString, scalarReader } from './scalars.js';
import { hasJsonForm, readDuration, readFieldMask, readTimestamp } from './well-known.js';

export type ReadMessage = (source: JsonSource) => Message;

type MapField = DescField & { readonly fieldKind: 'map' };

const readers = new WeakMap<DescMessage, ObjectReader>();

/** Reads the JSON objects of a type as messages. */
class ObjectReader {
  readonly #make: NewMessage;
  #members: Members<MessageFields> | undefined;

  constructor(private readonly desc: DescMessage) {
    this.#make = newMessageOf(desc);
  }

  read(source: JsonSource): Message {
    const message = this.#make();
    // Not in the constructor: a message may hold itself.
    this.#members ??= new Members<MessageFields>(this.desc, {
      of: (field) => fieldReader(field, this.desc),
      refusesUnset: false,
    });
    this.#members.read(source, message, false);
    return message;
  }
}

function objectReader(desc: DescMessage): ObjectReader {
  let reader = readers.get(desc);
  if (reader === undefined) {
    reader = new ObjectReader(desc);
    readers.set(desc, reader);
  }
  return reader;
}

/** Reads messages of a type from their JSON. */
export function messageReader(desc: DescMessage): ReadMessage {
  if (hasJsonForm(desc)) return wellKnownReader(desc);
  const reader = objectReader(desc);
  return (source) => reader.read(source);
}

function wellKnownReader(desc: DescMessage): ReadMessage {
  const make = newMessageOf(desc);
  switch (desc.typeName) {
    case 'google.protobuf.Any':
      return (source) => readAny(source, make());
    case 'google.protobuf.Timestamp':
      return (source) => Object.assign(make(), readTimestamp(source));
    case 'google.protobuf.Duration':
      return (source) => Object.assign(make(), readDuration(source));
    case 'google.protobuf.FieldMask':
      return (source) => Object.assign(make(), { paths: readFieldMask(source) });
    case 'google.protobuf.Struct':
      return readStruct;
    case 'google.protobuf.Value':
      return readValue;
    case 'google.protobuf.ListValue':
      return readListValue;
    default: {
      const read = scalarReaderOf(desc.fields[0]!);
      return (source) => {
        const message = make();
        if (!source.takeNull()) message['value'] = read(source);
        return message;
      };
    }
  }
}

function readAny(source: JsonSource, any: MessageFields): Message {
  const type = peekAny(source);
  if (type === undefined) return any;
  const bytes = bytesOf((sink) => writeAnyContent(source, sink, type.desc));
  any['typeUrl'] = type.typeUrl;
  any['value'] = new Uint8Array(bytes);
  return any;
}

function fieldReader(
  field: DescField | DescExtension,
  desc: DescMessage,
): FieldReader<MessageFields> {
  if (field.kind === 'extension') return extensionReader(field, desc);
  if (field.fieldKind === 'list') return { read: listReader(field), nullUnsets: true };
  if (field.fieldKind === 'map') return { read: mapReader(field), nullUnsets: true };
  return { read: singleReader(field), nullUnsets: !isNullable(field) };
}

/** protobuf-es keeps extensions as the bytes of fields that the message does not know. */
function extensionReader(extension: DescExtension, desc: DescMessage): FieldReader<MessageFields> {
  const { read, nullUnsets } = fieldWriter(extension, messageWriter);
  return {
    nullUnsets,
    read: (source, message) => {
      mergeFromBinary(
        desc,
        message,
        bytesOf((sink) => read(source, sink)),
      );
    },
  };
}

function singleReader(field: DescField): ReadInto<MessageFields> {
  const { localName, oneof, message: child } = field;
  const read = elementReader(field);
  if (oneof !== undefined) {
    const group = oneof.localName;
    return (source, message) => {
      const value = read(source);
      if (value !== undefined) message[group] = { case: localName, value };
    };
  }
  if (child !== undefined && !hasJsonForm(child)) {
    const reader = objectReader(child);
    return (source, message) => {
      message[localName] = reader.read(source);
    };
  }
  if (field.scalar === ScalarType.STRING) {
    return (source, message) => {
      message[localName] = readString(source);
    };
  }
  return (source, message) => {
    const value = read(source);
    if (value !== undefined) message[localName] = value;
  };
}

/** Reads one value as its field keeps it; undefined for an enum's name that is ignored. */
function elementReader(field: DescField): ReadValue {
  const { message } = field;
  if (field.enum !== undefined) return enumReader(field.enum);
  if (message === undefined) return scalarReaderOf(field);
  // Kept as the object itself, but in google.protobuf.Value.
  const isObject = field.parent.typeName !== 'google.protobuf.Value';
  if (isObject && message.typeName === 'google.protobuf.Struct') return readJsonObject;
  const isUnwrapped = field.fieldKind === 'message' && field.oneof === undefined;
  return isUnwrapped && isWrapperDesc(message)
    ? scalarReaderOf(message.fields[0])
    : messageReader(message);
}

function scalarReaderOf(field: DescField): ReadValue {
  const longAsString = 'longAsString' in field && field.longAsString;
  return scalarReader(field.scalar ?? ScalarType.STRING, longAsString);
}

function listReader(field: DescField): ReadInto<MessageFields> {
  const { localName } = field;
  const read = elementReader(field);
  const refusesNull = !isNullable(field);
  const readItem = (source: JsonSource, items: unknown[]): void => {
    if (refusesNull && source.takeNull()) source.fail('list item must not be null');
    const item = read(source);
    if (item !== undefined) items.push(item);
  };
  return (source, message) => readArray(source, message[localName] as unknown[], readItem);
}

function mapReader(field: MapField): ReadInto<MessageFields> {
  const { localName } = field;
  const read = elementReader(field);
  const readKey = keyReader(field.mapKey);
  const refusesNull = !isNullable(field);
  const readEntry = (source: JsonSource, entries: Entries<unknown>, text: string): void => {
    const key = readKey(source, text);
    if (refusesNull && source.takeNull()) source.fail('map value must not be null');
    const value = read(source);
    if (value !== undefined) addEntry(source, entries, key, value);
  };
  return (source, message) =>
    readEntries(source, message[localName] as Entries<unknown>, readEntry);
}
