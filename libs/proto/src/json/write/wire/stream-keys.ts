import { ScalarType } from '@bufbuild/protobuf';
import type { LongRead, WireSource } from '../../../wire/wire-source.js';

/** Reads a map's key as the text that JSON has for it. */
export type ReadKey = (source: WireSource) => string;

/** The key of an entry that has none. */
export function zeroKeyOf(type: ScalarType): string {
  if (type === ScalarType.STRING) return '';
  return type === ScalarType.BOOL ? 'false' : '0';
}

export function keyReader(type: ScalarType): ReadKey {
  // Invalid UTF-8 ends streaming; reading the message decides whether it is an error.
  return READERS.get(type) ?? ((source) => source.string(true));
}

const READERS: ReadonlyMap<ScalarType, ReadKey> = new Map<ScalarType, ReadKey>([
  [ScalarType.BOOL, (source) => String(source.bool())],
  [ScalarType.INT32, (source) => String(source.int32())],
  [ScalarType.UINT32, (source) => String(source.varint32())],
  [ScalarType.SINT32, (source) => String(source.sint32())],
  [ScalarType.FIXED32, (source) => String(source.fixed32())],
  [ScalarType.SFIXED32, (source) => String(source.sfixed32())],
  [ScalarType.INT64, signedKey('varint64')],
  [ScalarType.UINT64, unsignedKey('varint64')],
  [ScalarType.SINT64, signedKey('zigzag64')],
  [ScalarType.FIXED64, unsignedKey('fixed64')],
  [ScalarType.SFIXED64, signedKey('fixed64')],
]);

function signedKey(read: LongRead): ReadKey {
  return (source) => {
    source[read]();
    return longText(source.lower, source.upper);
  };
}

function unsignedKey(read: LongRead): ReadKey {
  return (source) => {
    source[read]();
    return longText(source.lower, source.upper >>> 0);
  };
}

/** @param upper signed or unsigned, as the number is. */
function longText(lower: number, upper: number): string {
  const near = upper * 0x1_0000_0000 + (lower >>> 0);
  return Number.isSafeInteger(near)
    ? String(near)
    : String((BigInt(upper) << 32n) | BigInt(lower >>> 0));
}
