import { ScalarType } from '@bufbuild/protobuf';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { writeBase64 } from './base64.js';
import { type JsonFragment, FALSE, TRUE, writeFragment } from './fragments.js';
import { writeInt64, writeUint64 } from './long-values.js';
import { writeDouble, writeInteger } from './numbers.js';
import { writeKeyedText } from './text.js';
import { unexpected } from './unwritable-error.js';
import type { WriteValue } from './write-value.js';

/** Writes the values of a scalar type, refusing those that the wire format would refuse. */
export function jsonScalarWriter(type: ScalarType): WriteValue {
  switch (type) {
    case ScalarType.STRING:
      return writeString;
    case ScalarType.BOOL:
      return writeBool;
    case ScalarType.BYTES:
      return writeBytes;
    case ScalarType.DOUBLE:
      return writeDoubleValue;
    case ScalarType.FLOAT:
      return writeFloat;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return writeUint32;
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return writeInt32;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return writeUint64;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return writeInt64;
  }
}

function writeString(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'string') unexpected('string', value);
  writeKeyedText(sink, key, value);
}

function writeBool(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'boolean') unexpected('bool', value);
  writeFragment(sink, key);
  writeFragment(sink, value ? TRUE : FALSE);
}

function writeBytes(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (!(value instanceof Uint8Array)) unexpected('a Uint8Array', value);
  writeFragment(sink, key);
  writeBase64(sink, value, 0, value.length);
}

function writeDoubleValue(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'number') unexpected('double', value);
  writeFragment(sink, key);
  writeDouble(sink, value);
}

function writeFloat(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'number') unexpected('float', value);
  const float = Math.fround(value);
  if (!Number.isFinite(float) && Number.isFinite(value)) unexpected('float', value);
  writeFragment(sink, key);
  writeDouble(sink, float);
}

function writeInt32(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'number' || (value | 0) !== value) unexpected('int32', value);
  writeFragment(sink, key);
  writeInteger(sink, value);
}

function writeUint32(sink: ByteSink, key: JsonFragment, value: unknown): void {
  if (typeof value !== 'number' || value >>> 0 !== value) unexpected('uint32', value);
  writeFragment(sink, key);
  writeInteger(sink, value);
}
