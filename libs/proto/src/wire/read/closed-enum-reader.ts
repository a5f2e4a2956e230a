import type { DescEnum, DescField } from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';
import { bytesOf } from '../../bytes/with-sink.js';
import type { WireFieldReader } from './reader.js';
import { keepUnknown } from './unknown.js';

/** Reads a number of a closed enum. One that it does not have is kept as an unknown field. */
export function closedEnumReader(field: DescField & { readonly enum: DescEnum }): WireFieldReader {
  const { localName, number } = field;
  const known = new Set(field.enum.values.map((value) => value.number));
  const oneof = field.oneof?.localName;
  return (source, message) => {
    const value = source.int32();
    if (!known.has(value)) keepUnknown(message, number, WireType.Varint, varint(value));
    else if (oneof === undefined) message[localName] = value;
    else message[oneof] = { case: localName, value };
  };
}

function varint(value: number): Uint8Array {
  return new Uint8Array(bytesOf((sink) => sink.int32(value)));
}
