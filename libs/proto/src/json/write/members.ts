import type { DescExtension, DescField, DescMessage } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { guarded, HIDDEN_PROBLEM, isRedacted } from '../../redact/redacted-field.js';
import { localForm } from '../../values/local-form.js';
import { isMapValue } from '../../values/holder-value.js';
import type { MapKeyType } from '../../values/map-key.js';
import { enumWriter, jsonScalarWriter } from './scalar-values.js';
import {
  type JsonFragment,
  COMMA,
  NOTHING,
  closeArray,
  closeObject,
  writeFragment,
} from './fragments.js';
import { jsonKeyCheck, wellFormedEntries, writeMapKey } from './keys.js';
import { numberListWriter } from './numbers.js';
import { writeJsonObject } from './struct-values.js';
import { leaving, unexpected, UnwritableError, type WriteValue } from './write-value.js';

/** The writers of the values of a field. */
export interface ValueOptions {
  /** The writer of a message type. */
  readonly message: (desc: DescMessage) => WriteValue;
  readonly enumsAsNumbers: boolean;
  /** Writes empty lists and maps too. */
  readonly isEager: boolean;
}

export type AnyField = DescField | DescExtension;

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
