import type { ByteSink } from '../../bytes/byte-sink.js';
import { writeCodePoint } from '../../bytes/utf8.js';
import { type JsonFragment, NOTHING } from './fragments.js';

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const HEX = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/** By byte: 1 where JSON has it as it is and it is ASCII. A look is cheaper than comparisons. */
export const PLAIN = new Uint8Array(256).fill(1, 0x20, 0x80);
/** By byte: how many bytes an escape takes more than the byte; 0 where there is none. */
const ADDED = new Uint8Array(256);
/** By byte that has an escape: what follows the backslash. */
const LETTERS = new Uint8Array(128);

for (const byte of [...Array(0x20).keys(), 0x22, BACKSLASH]) {
  const escape = JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
  PLAIN[byte] = 0;
  ADDED[byte] = escape.length - 1;
  LETTERS[byte] = escape.charCodeAt(1);
}

/** The most bytes that a UTF-16 unit of text takes in JSON. */
export const MOST_OF_UNIT = 6;

/** Writes the escape of a byte that must have one, and says where it ends. */
export function writeEscape(bytes: Uint8Array, at: number, byte: number): number {
  const letter = LETTERS[byte]!;
  bytes[at] = BACKSLASH;
  bytes[at + 1] = letter;
  if (letter !== LETTER_U) return at + 2;
  bytes[at + 2] = 0x30;
  bytes[at + 3] = 0x30;
  bytes[at + 4] = 0x30 + (byte >> 4);
  bytes[at + 5] = HEX[byte & 0xf]!;
  return at + 6;
}

/**
 * Escapes the characters from `from` to the end of a sink that JSON text must not contain unescaped. The
 * bytes after them are moved, starting from the end.
 */
export function escapeWritten(sink: ByteSink, from: number): void {
  const end = sink.at;
  const first = firstToEscape(sink, from, end);
  if (first === end) return;
  let added = 0;
  for (let i = first; i < end; i++) added += ADDED[sink.bytes[i]!]!;
  sink.reserve(added);
  const { bytes } = sink;
  let to = end + added;
  sink.at = to;
  for (let i = end - 1; to > i + 1; i--) {
    const byte = bytes[i]!;
    const more = ADDED[byte]!;
    to -= more + 1;
    if (more === 0) bytes[to] = byte;
    else writeEscape(bytes, to, byte);
  }
}

/** The position of the first byte that needs an escape; `end` if none does. Four bytes a step. */
function firstToEscape({ bytes, view }: ByteSink, from: number, end: number): number {
  let at = from;
  for (; at + 3 < end; at += 4) {
    const word = view.getInt32(at, true);
    const quotes = word ^ 0x2222_2222;
    const backslashes = word ^ 0x5c5c_5c5c;
    // A byte's highest bit is set where it is below 0x20, or 0 in one of the other two.
    const found =
      ((word - 0x2020_2020) & ~word) |
      ((quotes - 0x0101_0101) & ~quotes) |
      ((backslashes - 0x0101_0101) & ~backslashes);
    if ((found & 0x8080_8080) !== 0) break;
  }
  while (at < end && ADDED[bytes[at]!] === 0) at++;
  return at;
}

/** Up to this many characters a loop that looks at each is faster than the platform's encoder. */
const LOOKED_AT_CHARACTERS = 56;
const QUOTE = 0x22;

/** Writes text in quotes; a lone surrogate becomes U+FFFD, as it does on the wire. */
export function writeJsonText(sink: ByteSink, text: string): void {
  writeKeyedText(sink, NOTHING, text);
}

/** Writes a fragment and text in quotes: at once, as nothing is written more often. */
export function writeKeyedText(sink: ByteSink, key: JsonFragment, text: string): void {
  const { length } = text;
  const { words } = key;
  sink.reserve(key.length + length + 5);
  const { bytes, view } = sink;
  let { at } = sink;
  for (let i = 0; i < words.length; i++) view.setInt32(at + i * 4, words[i]!, true);
  at += key.length;
  bytes[at++] = QUOTE;
  sink.at = at;
  if (length > LOOKED_AT_CHARACTERS) {
    writeLong(sink, text);
    return;
  }
  let i = 0;
  for (; i + 3 < length; i += 4) {
    const a = text.charCodeAt(i);
    const b = text.charCodeAt(i + 1);
    const c = text.charCodeAt(i + 2);
    const d = text.charCodeAt(i + 3);
    if ((a | b | c | d) > 0x7f || (PLAIN[a]! & PLAIN[b]! & PLAIN[c]! & PLAIN[d]!) === 0) break;
    view.setInt32(at, a | (b << 8) | (c << 16) | (d << 24), true);
    at += 4;
  }
  for (; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f || PLAIN[code] !== 1) {
      sink.at = at;
      writeOthers(sink, text, i);
      return;
    }
    bytes[at++] = code;
  }
  bytes[at] = QUOTE;
  sink.at = at + 1;
}

/** Writes text of letters, digits and signs that needs neither quotes nor escapes. */
export function writeAscii(sink: ByteSink, text: string): void {
  const { length } = text;
  sink.reserve(length);
  const { bytes } = sink;
  let { at } = sink;
  for (let i = 0; i < length; i++) bytes[at++] = text.charCodeAt(i);
  sink.at = at;
}

/** Writes the characters from `from` on, whatever they are, and the closing quote. */
function writeOthers(sink: ByteSink, text: string, from: number): void {
  const { length } = text;
  sink.reserve((length - from) * MOST_OF_UNIT + 1);
  const { bytes } = sink;
  let { at } = sink;
  for (let i = from; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) {
      const point = text.codePointAt(i)!;
      if (point > 0xffff) i++;
      at = writeCodePoint(bytes, at, point);
    } else if (PLAIN[code] === 1) bytes[at++] = code;
    else at = writeEscape(bytes, at, code);
  }
  bytes[at] = QUOTE;
  sink.at = at + 1;
}

function writeLong(sink: ByteSink, text: string): void {
  sink.reserve(text.length * 3);
  const from = sink.at;
  sink.at += sink.bytes.write(text, from);
  escapeWritten(sink, from);
  sink.reserve(1);
  sink.bytes[sink.at++] = QUOTE;
}
