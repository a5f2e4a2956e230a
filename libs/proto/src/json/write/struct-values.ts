import type { ByteSink } from '../../bytes/byte-sink.js';
import {
  type JsonFragment,
  COMMA,
  FALSE,
  NOTHING,
  NULL,
  TRUE,
  closeArray,
  closeObject,
  writeFragment,
} from './fragments.js';
import { wellFormedEntries, writeMapKey } from './keys.js';
import { writeDouble } from './numbers.js';
import { writeKeyedText } from './text.js';
import {
  UnwritableError,
  leaving,
  unexpected,
  type Fields,
  type WriteValue,
  checkJsonDepth,
  isObject,
} from './write-value.js';

/** Writes the JSON object that protobuf-es keeps in fields of type google.protobuf.Struct. */
export function writeJsonObject(
  sink: ByteSink,
  key: JsonFragment,
  value: unknown,
  depth: number,
): void {
  if (!isObject(value)) unexpected('an object for google.protobuf.Struct', value);
  writeEntries(sink, key, value, writeJsonValue, depth);
}

/** Writes a google.protobuf.Struct that is a message. */
export function writeJsonStruct(
  sink: ByteSink,
  key: JsonFragment,
  value: unknown,
  depth: number,
): void {
  const { fields } = messageOf(value, 'google.protobuf.Struct');
  if (!isObject(fields)) unexpected('an object of fields', fields);
  writeEntries(sink, key, fields, writeValueMessage, depth);
}

export function writeListValue(
  sink: ByteSink,
  key: JsonFragment,
  value: unknown,
  depth: number,
): void {
  const { values } = messageOf(value, 'google.protobuf.ListValue');
  writeItems(sink, key, values, writeValueMessage, depth);
}

export function writeValueMessage(
  sink: ByteSink,
  key: JsonFragment,
  value: unknown,
  depth: number,
): void {
  const { kind } = messageOf(value, 'google.protobuf.Value');
  if (!isObject(kind)) unexpected('an object for kind', kind);
  const content = kind['value'];
  switch (kind['case']) {
    case 'nullValue':
      if (typeof content !== 'number' || (content | 0) !== content) unexpected('int32', content);
      return writeLiteral(sink, key, NULL);
    case 'numberValue':
      return writeNumber(sink, key, content);
    case 'stringValue':
      if (typeof content !== 'string') unexpected('string', content);
      return writeJsonValue(sink, key, content, depth);
    case 'boolValue':
      if (typeof content !== 'boolean') unexpected('bool', content);
      return writeJsonValue(sink, key, content, depth);
    case 'structValue':
      return writeJsonStruct(sink, key, content, depth + 1);
    case 'listValue':
      return writeListValue(sink, key, content, depth + 1);
    default:
      throw new UnwritableError('google.protobuf.Value must have a value');
  }
}

function writeJsonValue(sink: ByteSink, key: JsonFragment, value: unknown, depth: number): void {
  if (typeof value === 'string') writeKeyedText(sink, key, value);
  else if (typeof value === 'number') writeNumber(sink, key, value);
  else if (typeof value === 'boolean') writeLiteral(sink, key, value ? TRUE : FALSE);
  else if (value === null) writeLiteral(sink, key, NULL);
  else if (Array.isArray(value)) writeItems(sink, key, value, writeJsonValue, depth + 1);
  else if (isObject(value)) writeEntries(sink, key, value, writeJsonValue, depth + 1);
  else unexpected('a value that JSON has', value);
}

function writeLiteral(sink: ByteSink, key: JsonFragment, literal: JsonFragment): void {
  writeFragment(sink, key);
  writeFragment(sink, literal);
}

function writeNumber(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) unexpected('a finite number', value);
  writeFragment(sink, key);
  writeDouble(sink, value);
}

function writeEntries(
  sink: ByteSink,
  key: JsonFragment,
  entries: Fields,
  write: WriteValue,
  depth: number,
): void {
  checkJsonDepth(depth);
  const before = sink.at;
  writeFragment(sink, key);
  const start = sink.at;
  for (const name of Object.keys(entries)) {
    if (!writeMapKey(sink, name)) {
      sink.at = before;
      writeEntries(sink, key, wellFormedEntries(entries), write, depth);
      return;
    }
    try {
      write(sink, NOTHING, entries[name], depth + 1);
    } catch (error) {
      throw leaving(error, name);
    }
  }
  closeObject(sink, start);
}

function writeItems(
  sink: ByteSink,
  key: JsonFragment,
  items: unknown,
  write: WriteValue,
  depth: number,
): void {
  checkJsonDepth(depth);
  if (!Array.isArray(items)) unexpected('an array', items);
  writeFragment(sink, key);
  const start = sink.at;
  let i = 0;
  try {
    for (; i < items.length; i++) write(sink, COMMA, items[i], depth + 1);
  } catch (error) {
    throw leaving(error, i);
  }
  closeArray(sink, start);
}

function messageOf(value: unknown, typeName: string): Fields {
  if (!isObject(value) || value['$typeName'] !== typeName) {
    unexpected(`a message ${typeName}`, value);
  }
  return value;
}
