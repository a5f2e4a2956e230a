import type { ProtoWriter } from './proto-writer.js';

/** Fields of AnyValue, ArrayValue, KeyValueList and KeyValue (opentelemetry/proto/common/v1/common.proto). */
const STRING_VALUE = 0x0a;
const BOOL_VALUE = 0x10;
const INT_VALUE = 0x18;
const DOUBLE_VALUE = 0x21;
const ARRAY_VALUE = 0x2a;
const KVLIST_VALUE = 0x32;
const BYTES_VALUE = 0x3a;
const VALUES = 0x0a;
const KEY = 0x0a;
const VALUE = 0x12;

const INT64_END = 2 ** 63;

/** The approximate size of the tags and lengths around a value. */
const AROUND = 4;

/** The probable length of an encoded value, in bytes. */
export function expectedLength(value: unknown): number {
  if (typeof value === 'string') return value.length + AROUND;
  return value instanceof Uint8Array ? value.length + AROUND : 0;
}

/**
 * Writes an AnyValue with its length before it. An integer that fits is an int64, as is a bigint that
 * is a safe integer; any other bigint is a string of digits. Null, and values that fields
 * cannot have, are the empty value.
 *
 * @throws RangeError for values that are nested too deeply.
 */
export function writeAnyValue(writer: ProtoWriter, value: unknown): void {
  const expected = expectedLength(value);
  const begun = writer.open(expected);
  writeKind(writer, value);
  writer.close(begun, expected);
}

function writeKind(writer: ProtoWriter, value: unknown): void {
  switch (typeof value) {
    case 'string':
      writer.addByte(STRING_VALUE);
      writer.addText(value);
      return;
    case 'number':
      writeNumber(writer, value);
      return;
    case 'boolean':
      writer.addByte(BOOL_VALUE);
      writer.addByte(Number(value));
      return;
    case 'bigint': {
      const number = Number(value);
      writeKind(writer, Number.isSafeInteger(number) ? number : String(value));
      return;
    }
    case 'object':
      if (value !== null) writeObject(writer, value);
      return;
    case 'undefined':
    case 'function':
    case 'symbol':
  }
}

function writeNumber(writer: ProtoWriter, value: number): void {
  if (Number.isInteger(value) && value >= -INT64_END && value < INT64_END) {
    writer.addByte(INT_VALUE);
    writer.addInt64(value);
  } else {
    writer.addByte(DOUBLE_VALUE);
    writer.addDouble(value);
  }
}

function writeObject(writer: ProtoWriter, value: object): void {
  if (value instanceof Uint8Array) {
    writer.addByte(BYTES_VALUE);
    writer.addVarint(value.length);
    writer.add(value);
    return;
  }
  const isList = Array.isArray(value);
  writer.addByte(isList ? ARRAY_VALUE : KVLIST_VALUE);
  const begun = writer.open(0);
  if (isList) {
    for (const item of value) {
      writer.addByte(VALUES);
      writeAnyValue(writer, item);
    }
  } else {
    for (const [name, member] of Object.entries(value)) {
      writer.addByte(VALUES);
      writeKeyValue(writer, name, member);
    }
  }
  writer.close(begun, 0);
}

/** Writes a KeyValue with its length before it. */
function writeKeyValue(writer: ProtoWriter, name: string, value: unknown): void {
  const expected = expectedLength(name) + expectedLength(value);
  const begun = writer.open(expected);
  writeKey(writer, name);
  writeAnyValue(writer, value);
  writer.close(begun, expected);
}

/** Writes the part of a KeyValue before its value. */
export function writeKey(writer: ProtoWriter, name: string): void {
  writer.addByte(KEY);
  writer.addText(name);
  writer.addByte(VALUE);
}
