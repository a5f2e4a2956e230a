import { type DescField, ScalarType, type DescEnum } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { scalarZeroValue } from '@bufbuild/protobuf/reflect';
import {
  type ListField,
  type MapField,
  type MessageField,
  tagOf,
  valueTag,
  wireScalar,
  wireTypeOf,
} from '../wire-type.js';
import { bytesOf } from '../../bytes/byte-sink.js';
import type { WireSource } from '../wire-source.js';
import { type MessageMembers, MessageShape } from '../../message/message-shape.js';
import { localForm } from '../../values/local-form.js';
import { setOwn } from '../../values/holder-value.js';
import { skipField } from '../skip-field.js';
import { WireProblem, MAX_DEPTH } from '../wire-error.js';
import { childReader, bodyReader, type ChildReader } from './body-reader.js';
import { type WireFieldReader, type FillerOf, keepUnknown } from './reader.js';
import {
  type ScalarReader,
  scalarReader,
  type PackedReader,
  packedReader,
} from './scalar-reader.js';

/** Reads the values of a field, by the tags that it may have. */
export function fieldReaders(
  field: DescField,
  fillerOf: FillerOf,
): readonly (readonly [number, WireFieldReader])[] {
  if (field.fieldKind === 'list') return listReaders(field, fillerOf);
  const tag =
    field.fieldKind === 'map' ? tagOf(field.number, WireType.LengthDelimited) : valueTag(field);
  return [[tag, oneTagReader(field, fillerOf)]];
}

function oneTagReader(
  field: Exclude<DescField, { fieldKind: 'list' }>,
  fillerOf: FillerOf,
): WireFieldReader {
  switch (field.fieldKind) {
    case 'map':
      return mapReader(field, fillerOf);
    case 'enum':
      return field.enum.open
        ? valueReader(field, (source) => source.int32())
        : closedEnumReader(field);
    case 'scalar':
      return valueReader(field, scalarReader(field.scalar, field));
    case 'message':
      return childReader(field, fillerOf);
  }
}

function valueReader(field: DescField, read: ScalarReader): WireFieldReader {
  const { localName } = field;
  if (field.oneof === undefined) {
    if (field.scalar === ScalarType.STRING) return textReader(localName, field.utf8Validation);
    return (source, message) => {
      message[localName] = read(source);
    };
  }
  const oneof = field.oneof.localName;
  return (source, message) => {
    message[oneof] = { case: localName, value: read(source) };
  };
}

/** The most frequent of them, with a call less. */
function textReader(localName: string, strict: boolean): WireFieldReader {
  return (source, message) => {
    message[localName] = source.string(strict);
  };
}

/** Reads a number of a closed enum. One that it does not have is kept as an unknown field. */
function closedEnumReader(field: DescField & { readonly enum: DescEnum }): WireFieldReader {
  const { localName, number } = field;
  const known = new Set(field.enum.values.map((value) => value.number));
  const oneof = field.oneof?.localName;
  return (source, message) => {
    const value = source.int32();
    if (!known.has(value)) keepUnknown(message, number, WireType.Varint, varint(value));
    else if (oneof === undefined) message[localName] = value;
    else message[oneof] = { case: localName, value };
  };
}

function varint(value: number): Uint8Array {
  return new Uint8Array(bytesOf((sink) => sink.int32(value)));
}

/** Reads the items of a list, by the tags that they may have: one by one, or packed. */
function listReaders(
  field: ListField,
  fillerOf: FillerOf,
): readonly (readonly [number, WireFieldReader])[] {
  const { localName, number } = field;
  const tag = valueTag(field);
  const scalar = wireScalar(field);
  if (scalar === undefined) return [[tag, messageItems(field as MessageField, tag, fillerOf)]];
  const longAsString = field.listKind === 'scalar' && field.longAsString;
  const read = scalarReader(scalar, { utf8Validation: field.utf8Validation, longAsString });
  const readers: (readonly [number, WireFieldReader])[] = [[tag, valueItems(localName, read, tag)]];
  if (wireTypeOf(scalar) !== WireType.LengthDelimited) {
    readers.push([
      tagOf(number, WireType.LengthDelimited),
      packedItems(localName, packedReader(scalar, read)),
    ]);
  }
  return readers;
}

function messageItems(field: MessageField, tag: number, fillerOf: FillerOf): WireFieldReader {
  const { localName } = field;
  const read = bodyReader(field, fillerOf);
  return (source, message, depth) => {
    const items = message[localName] as unknown[];
    do items.push(read(source, depth, undefined));
    while (isNext(source, tag));
  };
}

function valueItems(localName: string, read: ScalarReader, tag: number): WireFieldReader {
  return (source, message) => {
    const items = message[localName] as unknown[];
    do items.push(read(source));
    while (isNext(source, tag));
  };
}

function packedItems(localName: string, read: PackedReader): WireFieldReader {
  return (source, message) => {
    const items = message[localName] as unknown[];
    const outer = source.enter();
    read(source, items);
    source.end = outer;
  };
}

/** Passes the tag of another item, if it is next and has one byte. */
function isNext(source: WireSource, tag: number): boolean {
  const { at } = source;
  if (tag > 0x7f || at >= source.end || source.bytes[at] !== tag) return false;
  source.at = at + 1;
  return true;
}

const END_GROUP = 4;

/** Reads the value of an entry; `empty` is for an entry without one. */
interface EntryValue {
  readonly read: ChildReader;
  readonly empty: () => unknown;
}

/** Reads an entry of a map. A later entry replaces an earlier one of its key. */
function mapReader(field: MapField, fillerOf: FillerOf): WireFieldReader {
  const { localName } = field;
  const { mapKey, utf8Validation } = field;
  const keyTag = tagOf(1, wireTypeOf(mapKey));
  const readKey = scalarReader(mapKey, { utf8Validation });
  const emptyKey = String(scalarZeroValue(mapKey, false));
  const tagOfValue = valueTag(field, 2);
  const { read, empty } = entryValue(field, fillerOf);
  return (source, message, depth) => {
    const outer = source.enter();
    const { end } = source;
    let key: string | undefined;
    let value: unknown;
    while (source.at < end) {
      const tag = source.tag();
      if (tag === keyTag) key = String(readKey(source));
      else if (tag === tagOfValue) value = read(source, depth, value);
      else skipOther(source, field, tag, depth);
    }
    source.end = outer;
    setOwn(message[localName] as MessageMembers, key ?? emptyKey, value ?? empty());
  };
}

function entryValue(field: MapField, fillerOf: FillerOf): EntryValue {
  switch (field.mapKind) {
    case 'message': {
      const shape = MessageShape.of(field.message);
      const empty = localForm(field) === 'struct' ? () => ({}) : () => shape.empty();
      return { read: bodyReader(field, fillerOf), empty };
    }
    case 'enum': {
      const zero = field.enum.values[0]!.number;
      return { read: (source) => source.int32(), empty: () => zero };
    }
    case 'scalar': {
      const { scalar, utf8Validation } = field;
      const read = scalarReader(scalar, { utf8Validation });
      return { read, empty: () => scalarZeroValue(scalar, false) };
    }
  }
}

/** Skips a field that an entry does not have. It could not be accessed in the message. */
function skipOther(source: WireSource, field: MapField, tag: number, depth: number): void {
  if (tag >>> 3 <= 2 && (tag & 7) !== END_GROUP) {
    throw new WireProblem(
      `an entry of ${field.name} has wire type ${tag & 7} in field ${tag >>> 3}`,
    );
  }
  skipField(source, tag, MAX_DEPTH - depth);
}
