import { isUtf8 } from 'node:buffer';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';
import { writeFragment } from '../fragments.js';
import { PLAIN, needsNoEscape, writeJsonText } from '../text.js';
import { type StreamValue, stopStreaming } from './stream.js';

/** Up to this many bytes a loop is faster than the platform's copy. */
const LOOPED_BYTES = 40;
const QUOTE = 0x22;

/** Copies text from the wire into quotes; only what needs escapes becomes a string. */
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
      streamLong(source, sink, from, to);
      return;
    }
    target[at++] = byte;
  }
  target[at++] = QUOTE;
  sink.at = at;
};

function streamLong(source: WireSource, sink: ByteSink, from: number, to: number): void {
  const { bytes } = source;
  if (!isUtf8(bytes.subarray(from, to))) stopStreaming();
  if (!needsNoEscape(bytes, from, to)) {
    writeJsonText(sink, bytes.toString('utf8', from, to));
    return;
  }
  const target = sink.bytes;
  target[sink.at++] = QUOTE;
  sink.at += bytes.copy(target, sink.at, from, to);
  target[sink.at++] = QUOTE;
}
