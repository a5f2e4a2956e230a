import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { isGroup, tagOf, wireScalar, wireTypeOf } from '../wire-type.js';
import { childReader } from './child-reader.js';
import { closedEnumReader } from './closed-enum-reader.js';
import { listReaders } from './list-reader.js';
import { mapReader } from './map-reader.js';
import type { WireFieldReader, FillerOf } from './reader.js';
import { type ScalarReader, scalarReader } from './scalar-reader.js';

/** Reads the values of a field, by the tags that it may have. */
export function fieldReaders(
  field: DescField,
  fillerOf: FillerOf,
): readonly (readonly [number, WireFieldReader])[] {
  if (field.fieldKind === 'list') return listReaders(field, fillerOf);
  return [[fieldTag(field), oneTagReader(field, fillerOf)]];
}

function fieldTag(field: DescField): number {
  const scalar = field.fieldKind === 'map' ? undefined : wireScalar(field);
  if (scalar !== undefined) return tagOf(field.number, wireTypeOf(scalar));
  return tagOf(field.number, isGroup(field) ? WireType.StartGroup : WireType.LengthDelimited);
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
