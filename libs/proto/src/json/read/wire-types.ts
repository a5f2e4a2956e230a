import { ScalarType } from '@bufbuild/protobuf';

/** https://protobuf.dev/programming-guides/encoding/#structure */
export const WireType = {
  VARINT: 0,
  BIT64: 1,
  LENGTH_DELIMITED: 2,
  START_GROUP: 3,
  END_GROUP: 4,
  BIT32: 5,
} as const;

export function tagOf(number: number, wireType: number): number {
  return ((number << 3) | wireType) >>> 0;
}

export function scalarWireType(type: ScalarType): number {
  switch (type) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LENGTH_DELIMITED;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.BIT64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.BIT32;
    default:
      return WireType.VARINT;
  }
}
