import type { Buffer } from 'node:buffer';

/** The kind of a byte inside a JSON string: this one means itself. */
export const PLAIN = 0;
export const QUOTE = 1;
export const BACKSLASH = 2;
export const CONTROL = 3;
export const BEYOND_ASCII = 4;
/** The bits of the kinds that end a run of characters that mean themselves; or of all but plain ones. */
export const NEEDS_LOOK = 3;
export const ANY = 7;

/** By byte: its kind. A look-up is cheaper than comparisons. */
export const IN_STRING = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x22) return QUOTE;
  if (byte === 0x5c) return BACKSLASH;
  if (byte < 0x20) return CONTROL;
  return byte < 0x80 ? PLAIN : BEYOND_ASCII;
});

/**
 * The position of the first byte, at `from` or after it, whose kind has one of the bits; `end` if there is
 * none. Four bytes are checked at once, which takes half of the time.
 */
export function endOfRun(bytes: Uint8Array, from: number, end: number, bits: number): number {
  let at = from;
  for (; at + 3 < end; at += 4) {
    const kinds =
      IN_STRING[bytes[at]!]! |
      IN_STRING[bytes[at + 1]!]! |
      IN_STRING[bytes[at + 2]!]! |
      IN_STRING[bytes[at + 3]!]!;
    if ((kinds & bits) !== 0) break;
  }
  while (at < end && (IN_STRING[bytes[at]!]! & bits) === 0) at += 1;
  return at;
}

const BACKSLASH_BYTE = 0x5c;
const LETTER_U = 0x75;

/** By the character after a backslash: the character that the escape means; 0 for none. */
const CHARACTERS = new Uint8Array(256);
for (const letter of '"\\/bfnrt') {
  CHARACTERS[letter.charCodeAt(0)] = (JSON.parse(`"\\${letter}"`) as string).charCodeAt(0);
}

/** By digit: its value; 16 for any other character. */
const DIGITS = new Uint8Array(256).fill(16);
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = parseInt(digit, 16);

/**
 * The code point of the escape at `at`, or of two if they are a surrogate pair; -1 if there is no escape,
 * and for half of a pair.
 */
export function escapedPoint(bytes: Buffer, at: number): number {
  const letter = bytes[at + 1]!;
  if (letter !== LETTER_U) return CHARACTERS[letter] || -1;
  const unit = hexadecimal(bytes, at + 2);
  if ((unit & 0xf800) !== 0xd800) return unit;
  if (unit > 0xdbff || bytes[at + 6] !== BACKSLASH_BYTE || bytes[at + 7] !== LETTER_U) return -1;
  const low = hexadecimal(bytes, at + 8);
  return (low & 0xfc00) === 0xdc00 ? 0x1_0000 + ((unit & 0x3ff) << 10) + (low & 0x3ff) : -1;
}

/** How many bytes the escape at `at` takes, given its code point. */
export function lengthOfEscape(bytes: Buffer, at: number, point: number): number {
  if (bytes[at + 1] !== LETTER_U) return 2;
  return point > 0xffff ? 12 : 6;
}

/** Four hexadecimal digits as a number; -1 if they are not digits. */
function hexadecimal(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) return -1;
  const a = DIGITS[bytes[at]!]!;
  const b = DIGITS[bytes[at + 1]!]!;
  const c = DIGITS[bytes[at + 2]!]!;
  const d = DIGITS[bytes[at + 3]!]!;
  return (a | b | c | d) > 15 ? -1 : (a << 12) | (b << 8) | (c << 4) | d;
}
