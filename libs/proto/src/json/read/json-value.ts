import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { type ListValue, NullValue, type Struct, type Value } from '@bufbuild/protobuf/wkt';
import { clip } from '../json-decode-error.js';
import { addEntry, readArray, readEntries } from './containers.js';
import type { JsonSource } from './json-source.js';
import { readBool } from './scalars.js';

/** Reads any JSON, as the fields of a google.protobuf.Struct hold it. */
export function readJson(source: JsonSource): JsonValue {
  source.checkInside(VALUE);
  switch (source.peek()) {
    case 0x7b:
      return inValue(source, readJsonObject);
    case 0x5b:
      return inValue(source, readJsonArray);
    case 0x22:
      return source.string();
    case 0x6e:
      source.takeNull();
      return null;
    default:
      return readFlagOrNumber(source);
  }
}

export function readJsonObject(source: JsonSource): JsonObject {
  if (source.peek() !== 0x7b) source.expected('google.protobuf.Struct');
  const entries: JsonObject = {};
  readNested(source, () => readEntries(source, entries, addJson));
  return entries;
}

function readJsonArray(source: JsonSource): JsonValue[] {
  const items: JsonValue[] = [];
  readNested(source, () => readArray(source, items, pushJson));
  return items;
}

function pushJson(source: JsonSource, items: JsonValue[]): void {
  items.push(readJson(source));
}

function addJson(source: JsonSource, entries: JsonObject, key: string): void {
  addEntry(source, entries, key, readJson);
}

/** Reads a google.protobuf.Value; `null` is one of its values. */
export function readValue(source: JsonSource): Value {
  return { $typeName: 'google.protobuf.Value', kind: readKind(source) };
}

function readKind(source: JsonSource): Value['kind'] {
  source.checkInside(VALUE);
  switch (source.peek()) {
    case 0x7b:
      return { case: 'structValue', value: inValue(source, readStructMessage) };
    case 0x5b:
      return { case: 'listValue', value: inValue(source, readListValue) };
    case 0x22:
      return { case: 'stringValue', value: source.string() };
    case 0x6e:
      source.takeNull();
      return { case: 'nullValue', value: NullValue.NULL_VALUE };
    default: {
      const value = readFlagOrNumber(source);
      return typeof value === 'boolean'
        ? { case: 'boolValue', value }
        : { case: 'numberValue', value };
    }
  }
}

/** Reads a google.protobuf.Struct as a message, which it is where no field holds it. */
export function readStructMessage(source: JsonSource): Struct {
  if (source.peek() !== 0x7b) source.expected('google.protobuf.Struct');
  const fields: Struct['fields'] = {};
  readNested(source, () => readEntries(source, fields, addValue));
  return { $typeName: 'google.protobuf.Struct', fields };
}

export function readListValue(source: JsonSource): ListValue {
  if (source.peek() !== 0x5b) source.expected('google.protobuf.ListValue');
  const values: Value[] = [];
  readNested(source, () => readArray(source, values, pushValue));
  return { $typeName: 'google.protobuf.ListValue', values };
}

function pushValue(source: JsonSource, values: Value[]): void {
  values.push(readValue(source));
}

function addValue(source: JsonSource, fields: Struct['fields'], key: string): void {
  addEntry(source, fields, key, readValue);
}

/** The remaining values: not text, not null, without members or items. */
export function readFlagOrNumber(source: JsonSource): boolean | number {
  const byte = source.peek();
  return byte === 0x74 || byte === 0x66 ? readBool(source) : readJsonNumber(source);
}

function readJsonNumber(source: JsonSource): number {
  const text = source.number() || source.failAt(source.at, 'expected a value');
  const value = Number(text);
  return Number.isFinite(value) ? value : source.fail(`${clip(text)} is out of range (double)`);
}

const VALUE = 'google.protobuf.Value';

/** Reads the content of a google.protobuf.Value: both count as messages, as they are on the wire. */
export function inValue<T>(source: JsonSource, read: (source: JsonSource) => T): T {
  const level = source.enter(VALUE);
  const value = read(source);
  source.leave(level);
  return value;
}

/** Reads the content of a google.protobuf.Struct or ListValue. */
export function readNested(source: JsonSource, read: () => void): void {
  const level = source.enter(VALUE);
  read();
  source.leave(level);
}
