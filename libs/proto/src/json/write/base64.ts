import { Buffer } from 'node:buffer';
import type { ByteSink } from '../../bytes/byte-sink.js';

const ALPHABET = new Uint8Array(
  Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
);
/** Beyond this many bytes the platform's encoder is faster than a loop. */
const LOOPED_BYTES = 192;
const QUOTE = 0x22;
const PADDING = 0x3d;

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
