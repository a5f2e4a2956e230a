import type { Buffer } from 'node:buffer';

/**
 * Writes a code point beyond ASCII as UTF-8, and says where it ends. Half of a surrogate pair
 * becomes U+FFFD. There must be room for four bytes.
 */
export function writeCodePoint(bytes: Buffer, at: number, code: number): number {
  if (code < 0x800) {
    bytes[at] = 0xc0 | (code >> 6);
    bytes[at + 1] = 0x80 | (code & 0x3f);
    return at + 2;
  }
  if (code < 0x1_0000) {
    const unit = (code & 0xf800) === 0xd800 ? 0xfffd : code;
    bytes[at] = 0xe0 | (unit >> 12);
    bytes[at + 1] = 0x80 | ((unit >> 6) & 0x3f);
    bytes[at + 2] = 0x80 | (unit & 0x3f);
    return at + 3;
  }
  bytes[at] = 0xf0 | (code >> 18);
  bytes[at + 1] = 0x80 | ((code >> 12) & 0x3f);
  bytes[at + 2] = 0x80 | ((code >> 6) & 0x3f);
  bytes[at + 3] = 0x80 | (code & 0x3f);
  return at + 4;
}

/** How many bytes a character beyond ASCII has, by its first one. */
export function lengthByFirst(first: number): number {
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** The code point beyond ASCII at `at`; the bytes are valid UTF-8. */
export function readCodePoint(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  const second = bytes[at + 1]! & 0x3f;
  if (first < 0xe0) return ((first & 0x1f) << 6) | second;
  const third = bytes[at + 2]! & 0x3f;
  if (first < 0xf0) return ((first & 0x0f) << 12) | (second << 6) | third;
  return ((first & 0x07) << 18) | (second << 12) | (third << 6) | (bytes[at + 3]! & 0x3f);
}

/** How many bytes the character beyond ASCII at `at` has; 0 for what is not UTF-8 (RFC 3629). */
export function lengthOfCharacter(bytes: Buffer, at: number, end: number): number {
  const first = bytes[at]!;
  const length = lengthByFirst(first);
  if (first < 0xc2 || first > 0xf4 || at + length > end) return 0;
  const second = bytes[at + 1]!;
  if (second < LEAST_SECOND[first & 0x3f]! || second > MOST_SECOND[first & 0x3f]!) return 0;
  if (length > 2 && (bytes[at + 2]! & 0xc0) !== 0x80) return 0;
  return length > 3 && (bytes[at + 3]! & 0xc0) !== 0x80 ? 0 : length;
}

/** The range of the second byte, by the lower bits of the first one. */
const LEAST_SECOND = new Uint8Array(64).fill(0x80);
const MOST_SECOND = new Uint8Array(64).fill(0xbf);
// No overlong forms, no surrogates, nothing beyond U+10FFFF.
LEAST_SECOND[0xe0 & 0x3f] = 0xa0;
MOST_SECOND[0xed & 0x3f] = 0x9f;
LEAST_SECOND[0xf0 & 0x3f] = 0x90;
MOST_SECOND[0xf4 & 0x3f] = 0x8f;
