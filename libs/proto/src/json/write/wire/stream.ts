import type { JsonFragment } from '../fragments.js';
import type { ByteSink } from '../../../bytes/byte-sink.js';
import type { WireSource } from '../../../wire/wire-source.js';

/**
 * Reads what comes after a tag and writes a fragment, usually a member's name, and the value.
 * With `skipZero` a zero value writes nothing.
 */
export type StreamValue = (
  source: WireSource,
  sink: ByteSink,
  key: JsonFragment,
  depth: number,
  skipZero: boolean,
) => void;

/** Reads a message from where the source is to its `end`, and writes it after a fragment. */
export type StreamBody = (
  source: WireSource,
  sink: ByteSink,
  key: JsonFragment,
  depth: number,
) => void;

const notStreamable = new Error('read as a message');

/** Ends streaming where only a message in between can make sense of the wire: it is read again as one. */
export function stopStreaming(): never {
  throw notStreamable;
}

/** A message inside another one, with its length before it. */
export function lengthPrefixed(body: StreamBody): StreamValue {
  return (source, sink, key, depth) => {
    const outer = source.enter();
    body(source, sink, key, depth + 1);
    source.end = outer;
  };
}

/** The next tag, which is not taken; 0 at the end, and for one that is not of one or two bytes. */
export function nextTag(source: WireSource): number {
  const { bytes, at, end } = source;
  if (at >= end) return 0;
  const first = bytes[at]!;
  if (first < 0x80) return first;
  const second = at + 1 < end ? bytes[at + 1]! : 0x80;
  return second < 0x80 ? (first & 0x7f) | (second << 7) : 0;
}

/** Takes a tag of one to four bytes. */
export function takeTag(source: WireSource): number {
  const first = source.bytes[source.at]!;
  if (first < 0x80) {
    source.at++;
    return first;
  }
  const from = source.at;
  const tag = source.varint32();
  return source.at - from > 4 ? stopStreaming() : tag;
}

/** Takes exactly this tag. */
export function expectTag(source: WireSource, tag: number): void {
  if (source.at >= source.end || takeTag(source) !== tag) stopStreaming();
}

/** Reads a whole field: of a list or map all elements that follow one another. */
export type StreamField = (
  source: WireSource,
  sink: ByteSink,
  key: JsonFragment,
  depth: number,
  tag: number,
) => void;
