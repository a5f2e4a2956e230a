import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { LengthPrefix } from '../../bytes/length-prefix.js';
import { enumCheck } from '../../values/enum-value.js';
import { listValue } from '../../values/holder-value.js';
import { within } from '../../values/value-error.js';
import { tagOf, wireTypeOf } from '../wire-type.js';
import { bodyWriter } from './body-writer.js';
import { int32Writer, scalarWriter } from './scalar-writer.js';
import { writeTag } from './tags.js';
import type { BodyWriter, FieldWriter, WriterOf } from './writer.js';

type ListField = DescField & { readonly fieldKind: 'list' };

/** Writes the items of a list: one by one, or packed into one value. */
export function listWriter(field: ListField, writerOf: WriterOf): FieldWriter {
  const { localName, number } = field;
  if (field.listKind === 'message') {
    return eachItem(localName, bodyWriter(field, writerOf, number));
  }
  const scalar = field.listKind === 'enum' ? ScalarType.INT32 : field.scalar;
  const write = field.listKind === 'enum' ? int32Writer(enumCheck(field)) : scalarWriter(scalar);
  if (!field.packed) {
    const tag = tagOf(number, wireTypeOf(scalar));
    return eachItem(localName, (sink, value) => write(sink, tag, value, false));
  }
  const tag = tagOf(number, WireType.LengthDelimited);
  const length = new LengthPrefix();
  return (sink, message) => {
    const items = listValue(message[localName]);
    if (items.length === 0) return;
    writeTag(sink, tag);
    const start = length.open(sink);
    let i = 0;
    try {
      for (; i < items.length; i++) write(sink, 0, items[i], false);
    } catch (error) {
      throw within(`[${i}]`, error);
    }
    length.close(sink, start);
  };
}

function eachItem(localName: string, write: BodyWriter): FieldWriter {
  return (sink, message, depth) => {
    const items = listValue(message[localName]);
    let i = 0;
    try {
      for (; i < items.length; i++) write(sink, items[i], depth);
    } catch (error) {
      throw within(`[${i}]`, error);
    }
  };
}
