import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';
import type { ByteSink } from '../../bytes/byte-sink.js';
import type { MessageMembers } from '../../message/message-shape.js';
import { enumCheck } from '../../values/enum-value.js';
import { guarded, HIDDEN_PROBLEM } from '../../redact/guarded.js';
import { isRedacted } from '../../redact/redacted-field.js';
import { ValueError } from '../../values/value-error.js';
import { tagOf, wireTypeOf } from '../wire-type.js';
import { bodyWriter } from './body-writer.js';
import { listWriter } from './list-writer.js';
import { mapWriter } from './map-writer.js';
import { int32Writer, scalarWriter } from './scalar-writer.js';
import type { BodyWriter, FieldWriter, ValueWriter, WriterOf } from './writer.js';

/** Writes a field that is in no oneof. */
export function fieldWriter(field: DescField, writerOf: WriterOf): FieldWriter {
  if (field.fieldKind === 'list') return guardedWriter(field, listWriter(field, writerOf));
  if (field.fieldKind === 'map') return guardedWriter(field, mapWriter(field, writerOf));
  const { localName } = field;
  if (field.presence === Presence.IMPLICIT && field.fieldKind !== 'message') {
    const { tag, write } = tagged(field);
    return guardedWriter(field, (sink, message) => write(sink, tag, message[localName], true));
  }
  return withPresence(field, selectedWriter(field, writerOf));
}

/** Writes the value of a field that has one: also the zero of its type. */
export function selectedWriter(
  field: Exclude<DescField, { fieldKind: 'list' | 'map' }>,
  writerOf: WriterOf,
): BodyWriter {
  if (field.fieldKind === 'message') {
    return guardedWriter(field, bodyWriter(field, writerOf, field.number));
  }
  const { tag, write } = tagged(field);
  return guardedWriter(field, (sink, value) => write(sink, tag, value, false));
}

/** The same, whose errors do not repeat a value that is not to be shown. */
function guardedWriter<T>(
  field: DescField,
  write: (sink: ByteSink, value: T, depth: number) => void,
): (sink: ByteSink, value: T, depth: number) => void {
  return guarded(isRedacted(field), write, Boolean, () => {
    throw new ValueError(HIDDEN_PROBLEM);
  });
}

function tagged(field: Extract<DescField, { fieldKind: 'scalar' | 'enum' }>): {
  readonly tag: number;
  readonly write: ValueWriter;
} {
  const scalar = field.fieldKind === 'enum' ? ScalarType.INT32 : field.scalar;
  const tag = tagOf(field.number, wireTypeOf(scalar));
  const write = field.fieldKind === 'enum' ? int32Writer(enumCheck(field)) : scalarWriter(scalar);
  return { tag, write };
}

/** A member of the prototype is a default value, not one that was set. */
function withPresence(field: DescField, write: BodyWriter): FieldWriter {
  const { localName } = field;
  const isRequired = field.presence === Presence.LEGACY_REQUIRED;
  return (sink: ByteSink, message: MessageMembers, depth: number) => {
    const value = message[localName];
    if (value !== undefined && Object.hasOwn(message, localName)) write(sink, value, depth);
    else if (isRequired) throw new ValueError('a required field that is not set');
  };
}
