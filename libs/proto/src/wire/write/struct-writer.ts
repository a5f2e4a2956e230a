import { type ByteSink, LengthPrefix } from '../../bytes/byte-sink.js';
import { jsonObject, jsonValue } from '../../values/holder-value.js';
import { entryStep, within } from '../../values/value-error.js';
import { checkDepth, writeTag } from './writer.js';
import { writeText } from './scalar-writer.js';

const entryLength = new LengthPrefix();
const valueLength = new LengthPrefix();
const structLength = new LengthPrefix();
const listLength = new LengthPrefix();

/** Writes the fields of a google.protobuf.Struct from the JSON object that a message keeps. */
export function writeStruct(sink: ByteSink, json: unknown, depth: number): void {
  const object = jsonObject(json);
  checkDepth(depth);
  for (const key of Object.keys(object)) {
    writeTag(sink, 0o12);
    const entry = entryLength.open(sink);
    writeText(sink, 0o12, key, false);
    writeTag(sink, 0o22);
    const start = valueLength.open(sink);
    try {
      writeValue(sink, object[key], depth + 1);
    } catch (error) {
      throw within(entryStep(key), error);
    }
    valueLength.close(sink, start);
    entryLength.close(sink, entry);
  }
}

function writeValue(sink: ByteSink, json: unknown, depth: number): void {
  checkDepth(depth);
  const value = jsonValue(json);
  if (typeof value === 'string') return writeText(sink, 0o32, value, false);
  if (typeof value === 'number') {
    sink.varint32(0o21);
    return sink.double(value);
  }
  if (typeof value === 'boolean') {
    sink.varint32(0o40);
    return sink.varint32(value ? 1 : 0);
  }
  if (value === null) {
    sink.varint32(0o10);
    return sink.varint32(0);
  }
  const isList = Array.isArray(value);
  const length = isList ? listLength : structLength;
  writeTag(sink, isList ? 0o62 : 0o52);
  const start = length.open(sink);
  if (isList) writeItems(sink, value as readonly unknown[], depth + 1);
  else writeStruct(sink, value, depth + 1);
  length.close(sink, start);
}

function writeItems(sink: ByteSink, items: readonly unknown[], depth: number): void {
  checkDepth(depth);
  let i = 0;
  try {
    for (; i < items.length; i++) {
      writeTag(sink, 0o12);
      const start = valueLength.open(sink);
      writeValue(sink, items[i], depth + 1);
      valueLength.close(sink, start);
    }
  } catch (error) {
    throw within(`[${i}]`, error);
  }
}
