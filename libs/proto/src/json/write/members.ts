import {
  type DescExtension,
  type DescField,
  type DescMessage,
  type DescOneof,
  ScalarType,
} from '@bufbuild/protobuf';
import { REDACTED } from '@apix/contracts/internal';
import { Edition, FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { guarded, HIDDEN_PROBLEM, isRedacted } from '../../redact/redacted-field.js';
import { localForm } from '../../values/local-form.js';
import { isMapValue } from '../../values/holder-value.js';
import type { MapKeyType } from '../../values/map-key.js';
import { enumWriter, jsonScalarWriter, isZeroLong } from './scalar-values.js';
import {
  type JsonFragment,
  COMMA,
  NOTHING,
  closeArray,
  closeObject,
  writeFragment,
  NULL,
} from './fragments.js';
import { jsonKeyCheck, wellFormedEntries, writeMapKey } from './keys.js';
import { numberListWriter } from './numbers.js';
import { writeJsonObject } from './struct-values.js';
import {
  leaving,
  unexpected,
  UnwritableError,
  type WriteValue,
  type Fields,
  isObject,
} from './write-value.js';
import { isLongType } from '../../values/integer-range.js';

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

/** The writers of the values of a field. */
export interface ValueOptions {
  /** The writer of a message type. */
  readonly message: (desc: DescMessage) => WriteValue;
  readonly enumsAsNumbers: boolean;
  /** Writes empty lists and maps too. */
  readonly isEager: boolean;
}

type AnyField = DescField | DescExtension;

/** Writes the whole value of a field: an array for a list, an object for a map. */
export function jsonFieldWriter(field: AnyField, options: ValueOptions): WriteValue {
  return guarded(isRedacted(field), wholeWriter(field, options), Boolean, () => {
    throw new UnwritableError(HIDDEN_PROBLEM);
  });
}

function wholeWriter(field: AnyField, options: ValueOptions): WriteValue {
  const write = elementWriter(field, options);
  if (field.fieldKind === 'list') {
    const list = listWriter(write, options.isEager);
    return field.listKind === 'scalar' ? numberListWriter(field.scalar, list) : list;
  }
  return field.fieldKind === 'map' ? mapWriter(write, field.mapKey, options.isEager) : write;
}

function elementWriter(field: AnyField, options: ValueOptions): WriteValue {
  const { message } = field;
  if (field.enum !== undefined) return enumWriter(field.enum, options.enumsAsNumbers);
  if (message === undefined) return jsonScalarWriter(field.scalar);
  switch (localForm(field)) {
    case 'wrapper':
      return jsonScalarWriter(message.fields[0]!.scalar!);
    case 'struct':
      return writeJsonObject;
    case 'message':
      return options.message(message);
  }
}

function listWriter(write: WriteValue, isEager: boolean): WriteValue {
  return (sink: ByteSink, key: JsonFragment, value: unknown, depth: number) => {
    if (!Array.isArray(value)) unexpected('an array', value);
    const items: readonly unknown[] = value;
    if (items.length === 0 && !isEager) return;
    writeFragment(sink, key);
    const start = sink.at;
    let i = 0;
    try {
      for (; i < items.length; i++) write(sink, COMMA, items[i], depth);
    } catch (error) {
      throw leaving(error, i);
    }
    closeArray(sink, start);
  };
}

function mapWriter(write: WriteValue, keyType: MapKeyType, isEager: boolean): WriteValue {
  const check = jsonKeyCheck(keyType);
  const writeMap: WriteValue = (sink, key, value, depth) => {
    if (!isMapValue(value)) {
      const isMap = value instanceof Map;
      unexpected(`an object of entries${isMap ? ', not a Map' : ''}`, value);
    }
    const names = Object.keys(value);
    if (names.length === 0 && !isEager) return;
    const before = sink.at;
    writeFragment(sink, key);
    const start = sink.at;
    let i = 0;
    try {
      for (; i < names.length; i++) {
        const name = names[i]!;
        check?.(name);
        if (!writeMapKey(sink, name)) break;
        write(sink, NOTHING, value[name], depth);
      }
    } catch (error) {
      throw leaving(error, names[i]!);
    }
    if (i < names.length) {
      sink.at = before;
      writeMap(sink, key, wellFormedEntries(value), depth);
      return;
    }
    closeObject(sink, start);
  };
  return writeMap;
}
