import { isUtf8 } from 'node:buffer';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import { lengthOfCharacter } from '../../../bytes/utf8.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { MOST_OF_UNIT, PLAIN, escapeWritten, writeEscape } from '../escapes.js';
import { writeFragment } from '../fragments.js';
import { type StreamValue, stopStreaming } from './stream.js';

/** Up to this many bytes a loop is faster than the platform's copy. */
const LOOPED_BYTES = 64;
const QUOTE = 0x22;

/** Copies text from the wire into quotes, with escapes where JSON needs them. */
export const streamText: StreamValue = (source, sink, key, _, skipZero) => {
  const to = source.lengthEnd();
  const from = source.at;
  if (skipZero && from === to) return;
  writeFragment(sink, key);
  source.at = to;
  sink.reserve(to - from + 2);
  if (to - from > LOOPED_BYTES) {
    streamLong(source, sink, from, to);
    return;
  }
  const { bytes } = source;
  const target = sink.bytes;
  let { at } = sink;
  target[at++] = QUOTE;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (PLAIN[byte] !== 1) {
      sink.at = at;
      streamOthers(source, sink, i, to);
      return;
    }
    target[at++] = byte;
  }
  target[at++] = QUOTE;
  sink.at = at;
};

/** Copies the characters from `from` on, whatever they are, and writes the closing quote. */
function streamOthers(source: WireSource, sink: ByteSink, from: number, to: number): void {
  sink.reserve((to - from) * MOST_OF_UNIT + 1);
  const { bytes } = source;
  const target = sink.bytes;
  let { at } = sink;
  for (let i = from; i < to;) {
    const byte = bytes[i]!;
    if (PLAIN[byte] === 1) {
      target[at++] = byte;
      i++;
    } else if (byte < 0x80) {
      at = writeEscape(target, at, byte);
      i++;
    } else {
      const end = i + lengthOfCharacter(bytes, i, to);
      if (end === i) stopStreaming();
      while (i < end) target[at++] = bytes[i++]!;
    }
  }
  target[at] = QUOTE;
  sink.at = at + 1;
}

function streamLong(source: WireSource, sink: ByteSink, from: number, to: number): void {
  const { bytes } = source;
  if (!isUtf8(bytes.subarray(from, to))) stopStreaming();
  sink.bytes[sink.at++] = QUOTE;
  const start = sink.at;
  sink.at += bytes.copy(sink.bytes, start, from, to);
  escapeWritten(sink, start);
  sink.reserve(1);
  sink.bytes[sink.at++] = QUOTE;
}
