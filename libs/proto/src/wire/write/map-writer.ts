import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { LengthPrefix } from '../../bytes/length-prefix.js';
import { enumCheck } from '../../values/enum-value.js';
import { mapValue } from '../../values/holder-value.js';
import { mapKeyCheck } from '../../values/map-key.js';
import { entryStep, within } from '../../values/value-error.js';
import { tagOf, wireTypeOf } from '../wire-type.js';
import { bodyWriter } from './body-writer.js';
import { int32Writer, scalarWriter } from './scalar-writer.js';
import { writeTag } from './tags.js';
import type { BodyWriter, FieldWriter, WriterOf } from './writer.js';

type MapField = DescField & { readonly fieldKind: 'map' };

/** Writes the entries of a map, in the order of the object that has them. */
export function mapWriter(field: MapField, writerOf: WriterOf): FieldWriter {
  const { localName, mapKey } = field;
  const tag = tagOf(field.number, WireType.LengthDelimited);
  const keyTag = tagOf(1, wireTypeOf(mapKey));
  const keyOf = mapKeyCheck(mapKey);
  const writeKey = scalarWriter(mapKey);
  const writeValue = entryValueWriter(field, writerOf);
  const length = new LengthPrefix();
  return (sink, message, depth) => {
    const entries = mapValue(message[localName]);
    for (const key of Object.keys(entries)) {
      writeTag(sink, tag);
      const start = length.open(sink);
      try {
        writeKey(sink, keyTag, keyOf(key), false);
        writeValue(sink, entries[key], depth);
      } catch (error) {
        throw within(entryStep(key), error);
      }
      length.close(sink, start);
    }
  };
}

function entryValueWriter(field: MapField, writerOf: WriterOf): BodyWriter {
  if (field.mapKind === 'message') return bodyWriter(field, writerOf, 2);
  const scalar = field.mapKind === 'enum' ? ScalarType.INT32 : field.scalar;
  const write = field.mapKind === 'enum' ? int32Writer(enumCheck(field)) : scalarWriter(scalar);
  const tag = tagOf(2, wireTypeOf(scalar));
  return (sink, value) => write(sink, tag, value, false);
}
