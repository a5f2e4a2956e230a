import type { DescField } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import type { WireSource } from '../wire-source.js';
import { type MessageField, isGroup, tagOf, wireScalar, wireTypeOf } from '../wire-type.js';
import { bodyReader } from './body-reader.js';
import { type PackedReader, packedReader } from './packed-reader.js';
import type { WireFieldReader, FillerOf } from './reader.js';
import { type ScalarReader, scalarReader } from './scalar-reader.js';

type ListField = DescField & { readonly fieldKind: 'list' };

/** Reads the items of a list, by the tags that they may have: one by one, or packed. */
export function listReaders(
  field: ListField,
  fillerOf: FillerOf,
): readonly (readonly [number, WireFieldReader])[] {
  const { localName, number } = field;
  const scalar = wireScalar(field);
  if (scalar === undefined) {
    const tag = tagOf(number, isGroup(field) ? WireType.StartGroup : WireType.LengthDelimited);
    return [[tag, messageItems(field as MessageField, tag, fillerOf)]];
  }
  const longAsString = field.listKind === 'scalar' && field.longAsString;
  const read = scalarReader(scalar, { utf8Validation: field.utf8Validation, longAsString });
  const wireType = wireTypeOf(scalar);
  const tag = tagOf(number, wireType);
  const readers: (readonly [number, WireFieldReader])[] = [[tag, valueItems(localName, read, tag)]];
  if (wireType !== WireType.LengthDelimited) {
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
    const outer = source.end;
    source.end = source.lengthEnd();
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
