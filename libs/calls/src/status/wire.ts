/** The wire type of strings, bytes and messages (protobuf encoding, "Message Structure"). */
export const LENGTH_DELIMITED = 2;

/** A length-delimited field with its tag; for field numbers below 16. */
export function lengthDelimited(number: number, value: Uint8Array): Uint8Array {
  const size: number[] = [];
  let rest = value.length;
  for (; rest > 0x7f; rest >>>= 7) size.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Uint8Array.of((number << 3) | LENGTH_DELIMITED, ...size, rest), value]);
}

/** Visits the length-delimited fields of a message; false when it is malformed or `visit` says so. */
export function eachField(
  bytes: Uint8Array,
  visit: (number: number, value: Uint8Array) => boolean,
): boolean {
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const tag = varint(reader);
    const size = tag === undefined ? undefined : sizeOf(tag & 7, reader);
    if (tag === undefined || size === undefined || reader.at + size > bytes.length) return false;
    const value = bytes.subarray(reader.at, reader.at + size);
    reader.at += size;
    if ((tag & 7) === LENGTH_DELIMITED && !visit(tag >>> 3, value)) return false;
  }
  return true;
}

interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

/** Bytes that the field's value takes; a varint's are already read. */
function sizeOf(wireType: number, reader: Reader): number | undefined {
  switch (wireType) {
    case 0:
      return varint(reader) === undefined ? undefined : 0;
    case 1:
      return 8;
    case LENGTH_DELIMITED:
      return varint(reader);
    case 5:
      return 4;
    default:
      return undefined;
  }
}

/** A varint's low 32 bits; undefined when it runs past the end or past ten bytes. */
function varint(reader: Reader): number | undefined {
  let value = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = reader.bytes[reader.at++];
    if (byte === undefined) return undefined;
    if (shift < 32) value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
  return undefined;
}
