import type { ByteSink } from '../../bytes/byte-sink.js';
import { writeCodePoint } from '../../bytes/utf8.js';
import { escapedPoint, lengthOfEscape } from './escapes.js';
import type { JsonSource } from './json-source.js';
import { BACKSLASH, BEYOND_ASCII, IN_STRING, PLAIN, QUOTE } from './string-bytes.js';

/** Bytes for which room is made at a time. */
const CHUNK = 4096;

/**
 * Reads a string, whose opening quote is next, and appends its text as UTF-8, which takes no more bytes
 * than the JSON. Returns false and reads nothing for an invalid string and for half of a surrogate pair.
 */
export function appendString(source: JsonSource, sink: ByteSink): boolean {
  const { bytes, end } = source;
  let i = source.at + 1;
  while (i < end) {
    const limit = Math.min(i + CHUNK, end);
    sink.reserve(CHUNK + 4);
    const target = sink.bytes;
    let { at } = sink;
    while (i < limit) {
      const byte = bytes[i]!;
      const kind = IN_STRING[byte]!;
      if (kind === PLAIN || kind === BEYOND_ASCII) {
        target[at++] = byte;
        i++;
        continue;
      }
      if (kind !== BACKSLASH) {
        if (kind !== QUOTE) return false;
        source.at = i + 1;
        sink.at = at;
        return true;
      }
      const point = escapedPoint(bytes, i);
      if (point === -1) return false;
      i += lengthOfEscape(bytes, i, point);
      if (point < 0x80) target[at++] = point;
      else at = writeCodePoint(target, at, point);
    }
    sink.at = at;
  }
  return false;
}
