import { Buffer } from 'node:buffer';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { refuse } from '../../values/refuse.js';
import { writeTag } from './tags.js';

/** Up to here a loop over ASCII is faster than the encoder of the platform; below 128. */
const LOOPED_LENGTH = 48;

/** Up to here three bytes for each unit are reserved; below 2 ** 14 / 3. */
const MEASURED_LENGTH = 4096;

/** Writes a text with its tag and length; a surrogate without its other half becomes U+FFFD. */
export function writeText(sink: ByteSink, tag: number, value: unknown, isImplicit: boolean): void {
  if (typeof value !== 'string') return refuse('a string', value);
  if (isImplicit && value === '') return;
  writeTag(sink, tag);
  if (value.length > LOOPED_LENGTH || !writeAscii(sink, value)) writeUtf8(sink, value);
}

function writeAscii(sink: ByteSink, text: string): boolean {
  const { length } = text;
  sink.reserve(length + 1);
  const { bytes } = sink;
  let { at } = sink;
  bytes[at++] = length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return false;
    bytes[at++] = code;
  }
  sink.at = at;
  return true;
}

function writeUtf8(sink: ByteSink, text: string): void {
  const { length } = text;
  if (length > MEASURED_LENGTH) return writeMeasured(sink, text);
  // At most three bytes for each unit of UTF-16, after a length of two bytes, or of one.
  sink.reserve(length * 3 + 2);
  const { bytes, at } = sink;
  const room = length < 0x80 ? 1 : 2;
  const written = bytes.write(text, at + room);
  if (written >= 0x80 && room === 1) bytes.copyWithin(at + 2, at + 1, at + 1 + written);
  sink.varint32(written);
  sink.at += written;
}

/** A large text is measured first, so as not to take three times its memory. */
function writeMeasured(sink: ByteSink, text: string): void {
  const length = Buffer.byteLength(text);
  sink.varint32(length);
  sink.reserve(length);
  sink.bytes.write(text, sink.at, length);
  sink.at += length;
}
