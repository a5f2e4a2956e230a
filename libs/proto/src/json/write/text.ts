import type { Buffer } from 'node:buffer';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { type JsonFragment, NOTHING } from './fragments.js';

/** Up to this many characters a loop that looks at each is faster than the platform's encoder. */
const LOOKED_AT_CHARACTERS = 56;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** By byte: 1 where JSON has it as it is and it is ASCII. A look is cheaper than comparisons. */
export const PLAIN = new Uint8Array(256).fill(1, 0x20, 0x80);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;

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
  sink.at = at;
  if (length > LOOKED_AT_CHARACTERS) {
    writeEncoded(sink, text);
    return;
  }
  bytes[at++] = QUOTE;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    const a = text.charCodeAt(i);
    const b = text.charCodeAt(i + 1);
    const c = text.charCodeAt(i + 2);
    const d = text.charCodeAt(i + 3);
    if ((a | b | c | d) > 0x7f || (PLAIN[a]! & PLAIN[b]! & PLAIN[c]! & PLAIN[d]!) === 0) {
      writeEncoded(sink, text);
      return;
    }
    view.setInt32(at, a | (b << 8) | (c << 16) | (d << 24), true);
    at += 4;
  }
  for (; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f || PLAIN[code] !== 1) {
      writeEncoded(sink, text);
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

/** True where JSON text may hold these bytes of UTF-8 between quotes as they are. */
export function needsNoEscape(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH) return false;
  }
  return true;
}

function writeEncoded(sink: ByteSink, text: string): void {
  sink.reserve(text.length * 3 + 2);
  const { bytes, at } = sink;
  const end = at + 1 + bytes.write(text, at + 1, 'utf8');
  if (!needsNoEscape(bytes, at + 1, end)) {
    writeEscaped(sink, text);
    return;
  }
  bytes[at] = QUOTE;
  bytes[end] = QUOTE;
  sink.at = end + 1;
}

function writeEscaped(sink: ByteSink, text: string): void {
  const escaped = JSON.stringify(text.toWellFormed());
  sink.reserve(escaped.length * 3);
  sink.at += sink.bytes.write(escaped, sink.at, 'utf8');
}
