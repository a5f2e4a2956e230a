import { Buffer } from 'node:buffer';
import {
  type DescExtension,
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
} from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';
import { bytesOf } from '../../bytes/byte-sink.js';
import { type MessageFields, MessageShape } from '../../message/message-shape.js';
import { localForm } from '../../values/local-form.js';
import type { MapField } from '../../wire/wire-type.js';
import { keepUnknownFields } from '../../wire/read/reader.js';
import { peekAny } from './any.js';
import { type Entries, addEntry, readArray, readEntries } from './containers.js';
import { enumReader, isNullable } from './enums.js';
import { fieldTranscoder } from './field-transcoder.js';
import type { JsonSource } from './json-source.js';
import { readJsonObject, readListValue, readStructMessage, readValue } from './json-value.js';
import { mapKeyReader } from './numbers.js';
import {
  guardedReader,
  type MemberReader,
  ObjectMembers,
  type ReadInto,
} from './object-members.js';
import { messageTranscoder, writeAnyContent } from './message-transcoder.js';
import { type ReadValue, readString, jsonScalarReader } from './scalars.js';
import { readDuration, readFieldMask, readTimestamp } from './well-known.js';

export type ReadMessage = (source: JsonSource) => Message;

const readers = new WeakMap<DescMessage, ObjectReader>();

/** Reads the JSON objects of a type as messages. */
class ObjectReader {
  readonly #shape: MessageShape;
  #members: ObjectMembers<number> | undefined;

  constructor(private readonly desc: DescMessage) {
    this.#shape = MessageShape.of(desc);
  }

  read(source: JsonSource): Message {
    // Not in the constructor: a message may hold itself.
    this.#members ??= this.#compile();
    const { slots } = source;
    const base = source.takeSlots(this.#shape.size + 1);
    this.#members.read(source, base, false);
    const message = this.#shape.build(slots, base + 1);
    const extensions = slots[base];
    if (extensions !== undefined) {
      slots[base] = undefined;
      keepUnknownFields(message, extensions as Buffer, source.reading.maxDepth);
    }
    source.top = base;
    return message;
  }

  /** Reads a value that is one field's alone, and no object. */
  readField(source: JsonSource, field: DescField): Message {
    const { slots } = source;
    const base = source.takeSlots(this.#shape.size + 1);
    const reader = fieldReader(field, 1 + this.#shape.slotOf(field));
    const { read, nullUnsets } = guardedReader(field, reader);
    const level = source.enter(this.desc.typeName);
    if (!nullUnsets || !source.takeNull()) read(source, base);
    source.leave(level);
    source.top = base;
    return this.#shape.build(slots, base + 1);
  }

  #compile(): ObjectMembers<number> {
    return new ObjectMembers<number>(this.desc, {
      of: (field) =>
        field.kind === 'extension'
          ? extensionReader(field)
          : fieldReader(field, 1 + this.#shape.slotOf(field)),
      refusesUnset: false,
    });
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
export function jsonReader(desc: DescMessage): ReadMessage {
  if (hasCustomJsonRepresentation(desc)) return inside(desc, wellKnownReader(desc));
  const reader = objectReader(desc);
  return (source) => reader.read(source);
}

/** Reads a message of which the document is one field's value. */
export function fieldDocumentReader(field: DescField): ReadMessage {
  const reader = objectReader(field.parent);
  return (source) => reader.readField(source, field);
}

/** For a message that is read at once. */
function inside<T>(desc: DescMessage, read: (source: JsonSource) => T): (source: JsonSource) => T {
  const { typeName } = desc;
  return (source) => {
    source.checkInside(typeName);
    return read(source);
  };
}

function wellKnownReader(desc: DescMessage): ReadMessage {
  const shape = MessageShape.of(desc);
  const make = (): MessageFields => shape.empty();
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
      return readStructMessage;
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

/** @param slot of the field, counted from the first one of its message. */
function fieldReader(field: DescField, slot: number): MemberReader<number> {
  if (field.fieldKind === 'list') return { read: listReader(field, slot), nullUnsets: true };
  if (field.fieldKind === 'map') return { read: mapReader(field, slot), nullUnsets: true };
  return { read: singleReader(field, slot), nullUnsets: !isNullable(field) };
}

/**
 * protobuf-es keeps extensions as the bytes of fields that the message does not know; they are
 * collected in the slot before those of the fields.
 */
function extensionReader(extension: DescExtension): MemberReader<number> {
  const { read, nullUnsets } = fieldTranscoder(extension, messageTranscoder);
  return {
    nullUnsets,
    read: (source, base) => {
      const bytes = bytesOf((sink) => read(source, sink));
      const before = source.slots[base] as Buffer | undefined;
      source.slots[base] = before === undefined ? bytes : Buffer.concat([before, bytes]);
    },
  };
}

function singleReader(field: DescField, slot: number): ReadInto<number> {
  const { localName, oneof, message } = field;
  const read = elementReader(field);
  if (oneof !== undefined) {
    return (source, base) => {
      const value = read(source);
      if (value !== undefined) source.slots[base + slot] = { case: localName, value };
    };
  }
  if (message !== undefined && !hasCustomJsonRepresentation(message)) {
    const reader = objectReader(message);
    return (source, base) => {
      source.slots[base + slot] = reader.read(source);
    };
  }
  if (field.scalar === ScalarType.STRING) {
    return (source, base) => {
      source.slots[base + slot] = readString(source);
    };
  }
  return (source, base) => {
    source.slots[base + slot] = read(source);
  };
}

/** Reads one value as its field keeps it; undefined for an enum's name that is ignored. */
function elementReader(field: DescField): ReadValue {
  if (field.enum !== undefined) return enumReader(field.enum);
  if (field.message === undefined) return scalarReaderOf(field);
  const form = localForm(field);
  if (form === 'struct') return readJsonObject;
  return form === 'wrapper'
    ? inside(field.message, scalarReaderOf(field.message.fields[0]!))
    : jsonReader(field.message);
}

function scalarReaderOf(field: DescField): ReadValue {
  const longAsString = 'longAsString' in field && field.longAsString;
  return jsonScalarReader(field.scalar ?? ScalarType.STRING, longAsString);
}

function listReader(field: DescField, slot: number): ReadInto<number> {
  const read = elementReader(field);
  const refusesNull = !isNullable(field);
  const readItem = (source: JsonSource, items: unknown[]): void => {
    const item = read(source);
    if (item !== undefined) items.push(item);
  };
  return (source, base) => {
    const items: unknown[] = [];
    readArray(source, items, readItem, refusesNull);
    source.slots[base + slot] = items;
  };
}

function mapReader(field: MapField, slot: number): ReadInto<number> {
  const read = elementReader(field);
  const readKey = mapKeyReader(field.mapKey);
  const refusesNull = !isNullable(field);
  const readEntry = (source: JsonSource, entries: Entries<unknown>, text: string): void => {
    const key = readKey(source, text);
    if (refusesNull && source.takeNull()) source.fail('map value must not be null');
    addEntry(source, entries, key, read);
  };
  const canIgnore = field.enum !== undefined;
  return (source, base) => {
    const entries: Entries<unknown> = {};
    readEntries(source, entries, readEntry);
    // Not before: a key is given, whatever becomes of its value.
    if (canIgnore && source.reading.ignoreUnknown) deleteUnset(entries);
    source.slots[base + slot] = entries;
  };
}

function deleteUnset(entries: Entries<unknown>): void {
  for (const key of Object.keys(entries)) if (entries[key] === undefined) delete entries[key];
}
