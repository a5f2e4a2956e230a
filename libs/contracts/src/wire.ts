/** The wire type of strings, bytes and messages (protobuf encoding, "Message Structure"). */
export const LENGTH_DELIMITED = 2;

/** A length-delimited field with its tag; for field numbers below 16. */
export function lengthDelimited(number: number, value: Uint8Array): Uint8Array {
  const size: number[] = [];
  let rest = value.length;
  for (; rest > 0x7f; rest >>>= 7) size.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Uint8Array.of((number << 3) | LENGTH_DELIMITED, ...size, rest), value]);
}
