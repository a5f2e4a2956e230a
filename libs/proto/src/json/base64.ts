import { Buffer } from 'node:buffer';
import type { ByteSink } from '../bytes/byte-sink.js';

const PADDING = 0x3d;

/** By byte: its six bits in the standard or the URL-safe alphabet; 64 for any other byte. */
const BITS = new Uint8Array(256).fill(64);
for (const lastTwo of ['+/', '-_']) {
  const digits = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${lastTwo}`;
  for (let i = 0; i < 64; i++) BITS[digits.charCodeAt(i)] = i;
}

/**
 * The bytes of a base64 text in the standard or the URL-safe alphabet, with or without padding
 * (RFC 4648); undefined where it is neither.
 */
export function base64Bytes(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text);
  const length = base64Length(bytes, 0, bytes.length);
  if (length === -1) return undefined;
  const decoded = new Uint8Array(length);
  return decodeBase64(bytes, 0, bytes.length, decoded, 0) ? decoded : undefined;
}

/**
 * How many bytes the base64 at `from` to `to` is, if it is base64; -1 where its padding is wrong,
 * or too few digits are left at its end.
 */
export function base64Length(bytes: Uint8Array, from: number, to: number): number {
  const digits = endOfDigits(bytes, from, to) - from;
  const isWhole = from + digits === to ? digits % 4 !== 1 : (to - from) % 4 === 0;
  return isWhole ? Math.floor((digits * 3) / 4) : -1;
}

/** Decodes base64 whose length was asked for; false if a character is in neither alphabet. */
export function decodeBase64(
  bytes: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
  start: number,
): boolean {
  const end = endOfDigits(bytes, from, to);
  let at = start;
  let seen = 0;
  let i = from;
  for (; i + 3 < end; i += 4) {
    const a = BITS[bytes[i]!]!;
    const b = BITS[bytes[i + 1]!]!;
    const c = BITS[bytes[i + 2]!]!;
    const d = BITS[bytes[i + 3]!]!;
    seen |= a | b | c | d;
    target[at++] = (a << 2) | (b >> 4);
    target[at++] = (b << 4) | (c >> 2);
    target[at++] = (c << 6) | d;
  }
  if (i < end) {
    const a = BITS[bytes[i]!]!;
    const b = BITS[bytes[i + 1]!]!;
    const c = i + 2 < end ? BITS[bytes[i + 2]!]! : 0;
    seen |= a | b | c;
    target[at++] = (a << 2) | (b >> 4);
    if (i + 2 < end) target[at++] = (b << 4) | (c >> 2);
  }
  return seen < 64;
}

function endOfDigits(bytes: Uint8Array, from: number, to: number): number {
  if (to === from || bytes[to - 1] !== PADDING) return to;
  return to - 1 > from && bytes[to - 2] === PADDING ? to - 2 : to - 1;
}

const ALPHABET = new Uint8Array(
  Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
);
/** Beyond this many bytes the platform's encoder is faster than a loop. */
const LOOPED_BYTES = 192;
const QUOTE = 0x22;

/** Writes the bytes `from` to `to` as base64 in quotes. */
export function writeBase64(sink: ByteSink, source: Uint8Array, from: number, to: number): void {
  sink.reserve(Math.ceil((to - from) / 3) * 4 + 2);
  const target = sink.bytes;
  target[sink.at++] = QUOTE;
  if (to - from > LOOPED_BYTES) {
    const part = Buffer.from(source.buffer, source.byteOffset + from, to - from);
    sink.at += target.write(part.toString('base64'), sink.at, 'latin1');
  } else {
    writeLooped(sink, source, from, to);
  }
  target[sink.at++] = QUOTE;
}

function writeLooped(sink: ByteSink, source: Uint8Array, from: number, to: number): void {
  const target = sink.bytes;
  let { at } = sink;
  let i = from;
  for (; i + 2 < to; i += 3) {
    const bits = (source[i]! << 16) | (source[i + 1]! << 8) | source[i + 2]!;
    target[at++] = ALPHABET[bits >>> 18]!;
    target[at++] = ALPHABET[(bits >>> 12) & 63]!;
    target[at++] = ALPHABET[(bits >>> 6) & 63]!;
    target[at++] = ALPHABET[bits & 63]!;
  }
  if (i < to) {
    const hasTwo = i + 1 < to;
    const bits = (source[i]! << 16) | (hasTwo ? source[i + 1]! << 8 : 0);
    target[at++] = ALPHABET[bits >>> 18]!;
    target[at++] = ALPHABET[(bits >>> 12) & 63]!;
    target[at++] = hasTwo ? ALPHABET[(bits >>> 6) & 63]! : PADDING;
    target[at++] = PADDING;
  }
  sink.at = at;
}
