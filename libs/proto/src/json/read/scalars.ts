import { ScalarType } from '@bufbuild/protobuf';
import { base64Bytes, base64Length, decodeBase64 } from '../base64.js';
import type { JsonSource } from './json-source.js';
import { readDouble, readFloat, readInt32, readInt64, readUint32, readUint64 } from './numbers.js';

/** Reads a value that is not `null`. */
export type ReadValue = (source: JsonSource) => unknown;

/** How ProtoJSON's values of a scalar type are read (protobuf.dev/programming-guides/json). */
export function jsonScalarReader(type: ScalarType, longAsString: boolean): ReadValue {
  switch (type) {
    case ScalarType.STRING:
      return readString;
    case ScalarType.BOOL:
      return readBool;
    case ScalarType.BYTES:
      return readBytes;
    case ScalarType.DOUBLE:
      return readDouble;
    case ScalarType.FLOAT:
      return readFloat;
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return readInt32;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return readUint32;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return longAsString ? (source) => String(readInt64(source)) : readInt64;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return longAsString ? (source) => String(readUint64(source)) : readUint64;
  }
}

export function readString(source: JsonSource): string {
  return source.peek() === 0x22 ? source.string() : source.expected('string');
}

export function readBool(source: JsonSource): boolean {
  return source.boolean() ?? source.expected('boolean');
}

export function readBytes(source: JsonSource): Uint8Array {
  if (source.peek() !== 0x22) return source.expected('bytes as base64 in quotes');
  const from = source.at + 1;
  const to = source.plainString();
  const length = to === -1 ? -1 : base64Length(source.bytes, from, to);
  if (length !== -1) {
    const bytes = new Uint8Array(length);
    if (decodeBase64(source.bytes, from, to, bytes, 0)) return bytes;
  }
  source.at = from - 1;
  return base64Bytes(source.string()) ?? source.fail('invalid base64');
}
