import type { Buffer } from 'node:buffer';

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
