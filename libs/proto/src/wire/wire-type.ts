import {
  type DescExtension,
  type DescField,
  type DescMessage,
  ScalarType,
} from '@bufbuild/protobuf';
import { WireType } from '@bufbuild/protobuf/wire';

/** How values of a scalar type are on the wire. */
export function wireTypeOf(type: ScalarType): WireType {
  switch (type) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    case ScalarType.INT32:
    case ScalarType.INT64:
    case ScalarType.UINT32:
    case ScalarType.UINT64:
    case ScalarType.SINT32:
    case ScalarType.SINT64:
    case ScalarType.BOOL:
      return WireType.Varint;
  }
}

/** A field's number and wire type, as they are before its value. */
export function tagOf(number: number, type: WireType): number {
  return ((number << 3) | type) >>> 0;
}

/** The scalar type that the values of a field have on the wire; undefined for messages. */
export function wireScalar(field: DescField | DescExtension): ScalarType | undefined {
  return field.enum === undefined ? field.scalar : ScalarType.INT32;
}

/** The tag of one value of a field that is on the wire alone: also of an item of a list that is not packed. */
export function valueTag(field: DescField | DescExtension, number = field.number): number {
  const scalar = wireScalar(field);
  if (scalar !== undefined) return tagOf(number, wireTypeOf(scalar));
  return tagOf(number, isGroup(field) ? WireType.StartGroup : WireType.LengthDelimited);
}

/** A field that holds messages. */
export type MessageField = DescField & { readonly message: DescMessage };

export type ListField = DescField & { readonly fieldKind: 'list' };

export type MapField = DescField & { readonly fieldKind: 'map' };

/** Whether the messages of a field are enclosed in tags instead of following their length. */
export function isGroup(field: DescField | DescExtension): boolean {
  return field.message !== undefined && 'delimitedEncoding' in field && field.delimitedEncoding;
}
