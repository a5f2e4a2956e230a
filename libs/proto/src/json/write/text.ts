import { writeCodePoint } from '../../bytes/utf8.js';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { MOST_OF_UNIT, PLAIN, escapeWritten, writeEscape } from './escapes.js';
import { type JsonFragment, NOTHING } from './fragments.js';

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
