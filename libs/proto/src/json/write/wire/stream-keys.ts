import { ScalarType } from '@bufbuild/protobuf';
import type { WireSource } from '../../../wire/wire-source.js';

/** Reads a map's key as the text that JSON has for it. */
export type ReadKey = (source: WireSource) => string;

/** The key of an entry that has none. */
export function zeroKeyOf(type: ScalarType): string {
  if (type === ScalarType.STRING) return '';
  return type === ScalarType.BOOL ? 'false' : '0';
}

export function keyReader(type: ScalarType): ReadKey {
  switch (type) {
    case ScalarType.BOOL:
      return (source) => {
        source.varint64();
        return String(source.lower !== 0 || source.upper !== 0);
      };
    case ScalarType.INT32:
      return (source) => String(source.varint32() | 0);
    case ScalarType.UINT32:
      return (source) => String(source.varint32());
    case ScalarType.SINT32:
      return (source) => {
        const zigzag = source.varint32();
        return String((zigzag >>> 1) ^ -(zigzag & 1));
      };
    case ScalarType.FIXED32:
      return (source) => String(source.fixed32() >>> 0);
    case ScalarType.SFIXED32:
      return (source) => String(source.fixed32());
    case ScalarType.INT64:
      return (source) => {
        source.varint64();
        return longText(source.lower, source.upper);
      };
    case ScalarType.UINT64:
      return (source) => {
        source.varint64();
        return longText(source.lower, source.upper >>> 0);
      };
    case ScalarType.SINT64:
      return (source) => {
        source.varint64();
        const { lower, upper } = source;
        const sign = -(lower & 1);
        return longText(((lower >>> 1) | (upper << 31)) ^ sign, (upper >>> 1) ^ sign);
      };
    case ScalarType.FIXED64:
      return (source) => {
        source.fixed64();
        return longText(source.lower, source.upper >>> 0);
      };
    case ScalarType.SFIXED64:
      return (source) => {
        source.fixed64();
        return longText(source.lower, source.upper);
      };
    default:
      // What is not valid UTF-8 ends streaming; the message says whether that is an error.
      return (source) => source.string(true);
  }
}

/** @param upper signed or unsigned, as the number is. */
function longText(lower: number, upper: number): string {
  const near = upper * 0x1_0000_0000 + (lower >>> 0);
  return Number.isSafeInteger(near)
    ? String(near)
    : String((BigInt(upper) << 32n) | BigInt(lower >>> 0));
}
