import { type DescField, type DescOneof, ScalarType } from '@bufbuild/protobuf';
import { REDACTED } from '@apix/contracts/internal';
import { Edition, FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { isRedacted } from '../../redact/redacted-field.js';
import { isLongType } from '../../values/integer-range.js';
import { type JsonFragment, NULL, writeFragment } from './fragments.js';
import { isZeroLong } from './scalar-values.js';
import {
  UnwritableError,
  unexpected,
  type Fields,
  type WriteValue,
  isObject,
} from './write-value.js';

/** Writes a member of a message, or nothing where its field is not set. */
export type WriteMember = (sink: ByteSink, message: Fields, depth: number) => void;

/** A field whose zero value counts as not set. */
export function implicitMember(
  field: DescField,
  key: JsonFragment,
  write: WriteValue,
): WriteMember {
  const name = field.localName;
  if (field.fieldKind === 'enum') {
    const zero = field.enum.values[0]!.number;
    return (sink, message, depth) => {
      const value = message[name];
      if (value !== zero) write(sink, key, value, depth);
    };
  }
  const { scalar } = field;
  if (scalar === ScalarType.STRING) {
    return (sink, message, depth) => {
      const value = message[name];
      if (value !== '') write(sink, key, value, depth);
    };
  }
  if (scalar === ScalarType.BOOL) {
    return (sink, message, depth) => {
      const value = message[name];
      if (value !== false) write(sink, key, value, depth);
    };
  }
  if (scalar === ScalarType.BYTES) {
    return (sink, message, depth) => {
      const value = message[name];
      if (!(value instanceof Uint8Array && value.length === 0)) write(sink, key, value, depth);
    };
  }
  if (scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT) {
    return (sink, message, depth) => {
      const value = message[name];
      if (!Object.is(value, 0)) write(sink, key, value, depth);
    };
  }
  if (scalar !== undefined && isLongType(scalar)) {
    return (sink, message, depth) => {
      const value = message[name];
      if (!isZeroLong(value)) write(sink, key, value, depth);
    };
  }
  return (sink, message, depth) => {
    const value = message[name];
    if (value !== 0) write(sink, key, value, depth);
  };
}

/** A field that is written whenever its message has it; `nulls` writes null otherwise. */
export function explicitMember(
  field: DescField,
  key: JsonFragment,
  write: WriteValue,
  nulls: boolean,
): WriteMember {
  const name = field.localName;
  const isRequired = field.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED;
  // Members that every object has are not set, nor are the zero values that messages inherit, except in
  // proto3.
  const isInherited =
    field.parent.file.edition !== Edition.EDITION_PROTO3 || name in Object.prototype;
  return (sink, message, depth) => {
    const value = message[name];
    if (value !== undefined && (!isInherited || Object.hasOwn(message, name))) {
      write(sink, key, value, depth);
    } else if (isRequired) throw new UnwritableError('the required field is not set');
    else if (nulls) {
      writeFragment(sink, key);
      writeFragment(sink, NULL);
    }
  };
}

/** A list or map, or a field that is written with its zero value too. */
export function eagerMember(name: string, key: JsonFragment, write: WriteValue): WriteMember {
  return (sink, message, depth) => write(sink, key, message[name], depth);
}

/** One of several fields, of which a message has at most one. */
export interface OneofCase {
  readonly name: string;
  readonly key: JsonFragment;
  readonly write: WriteValue;
}

/** Fields of a oneof whose numbers follow one another: one look finds the one that is set. */
export function oneofMember(oneof: DescOneof, cases: readonly OneofCase[]): WriteMember {
  const name = oneof.localName;
  const names = oneof.fields.map(({ localName }) => localName);
  const byName = new Map<unknown, OneofCase>(cases.map((one) => [one.name, one]));
  // What is there instead of a case may be the value itself.
  const hides = oneof.fields.some(isRedacted);
  return (sink, message, depth) => {
    const held = message[name];
    if (!isObject(held)) unexpected('an object with case and value', hides ? REDACTED : held);
    const selected = held['case'];
    if (selected === undefined) return;
    const one = byName.get(selected);
    if (one !== undefined) one.write(sink, one.key, held['value'], depth);
    else if (!names.includes(selected as string)) {
      unexpected(`a case of the oneof (${names.join(', ')})`, hides ? REDACTED : selected);
    }
  };
}

/** The name of the field that a oneof of a message has; its own name if it is in none. */
export function selectedName(message: Fields, oneof: DescOneof): string {
  const value = message[oneof.localName];
  const selected = isObject(value) ? value['case'] : undefined;
  const field = oneof.fields.find(({ localName }) => localName === selected);
  return field?.localName ?? oneof.localName;
}
