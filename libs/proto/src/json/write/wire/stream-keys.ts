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
  // What is not valid UTF-8 ends streaming; the message says whether that is an error.
  return READERS.get(type) ?? ((source) => source.string(true));
}

const READERS: ReadonlyMap<ScalarType, ReadKey> = new Map<ScalarType, ReadKey>([
  [ScalarType.INT32, (source) => String(source.varint32() | 0)],
  [ScalarType.UINT32, (source) => String(source.varint32())],
  [ScalarType.FIXED32, (source) => String(source.fixed32())],
  [ScalarType.SFIXED32, (source) => String(source.sfixed32())],
  [
    ScalarType.SINT32,
    (source) => {
      const zigzag = source.varint32();
      return String((zigzag >>> 1) ^ -(zigzag & 1));
    },
  ],
  [
    ScalarType.BOOL,
    (source) => {
      source.varint64();
      return String(source.lower !== 0 || source.upper !== 0);
    },
  ],
  [
    ScalarType.INT64,
    (source) => {
      source.varint64();
      return longText(source.lower, source.upper);
    },
  ],
  [
    ScalarType.UINT64,
    (source) => {
      source.varint64();
      return longText(source.lower, source.upper >>> 0);
    },
  ],
  [
    ScalarType.SINT64,
    (source) => {
      source.varint64();
      const { lower, upper } = source;
      const sign = -(lower & 1);
      return longText(((lower >>> 1) | (upper << 31)) ^ sign, (upper >>> 1) ^ sign);
    },
  ],
  [
    ScalarType.FIXED64,
    (source) => {
      source.fixed64();
      return longText(source.lower, source.upper >>> 0);
    },
  ],
  [
    ScalarType.SFIXED64,
    (source) => {
      source.fixed64();
      return longText(source.lower, source.upper);
    },
  ],
]);

/** @param upper signed or unsigned, as the number is. */
function longText(lower: number, upper: number): string {
  const near = upper * 0x1_0000_0000 + (lower >>> 0);
  return Number.isSafeInteger(near)
    ? String(near)
    : String((BigInt(upper) << 32n) | BigInt(lower >>> 0));
}
