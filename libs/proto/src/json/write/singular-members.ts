import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { Edition, FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { isLongType } from '../../values/integer-range.js';
import { type JsonFragment, NULL, writeFragment } from './fragments.js';
import { isZeroLong } from './long-values.js';
import { UnwritableError, unexpected } from './unwritable-error.js';
import { type Fields, type WriteValue, isObject } from './write-value.js';

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
  // What every object has is not set, nor are the zero values that messages inherit but in proto3.
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
export function oneofMember(name: string, cases: readonly OneofCase[]): WriteMember {
  const byName = new Map(cases.map((one) => [one.name, one]));
  return (sink, message, depth) => {
    const oneof = message[name];
    if (!isObject(oneof)) unexpected('an object with case and value', oneof);
    const selected = oneof['case'];
    if (typeof selected !== 'string') return;
    const one = byName.get(selected);
    if (one !== undefined) one.write(sink, one.key, oneof['value'], depth);
  };
}

/** The name of the field that a oneof of a message has; undefined where it has none. */
export function selectedCase(message: Fields, oneof: string): string | undefined {
  const value = message[oneof];
  return isObject(value) && typeof value['case'] === 'string' ? value['case'] : undefined;
}
