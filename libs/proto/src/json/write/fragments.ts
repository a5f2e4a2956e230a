import { Buffer } from 'node:buffer';
import type { ByteSink } from '../../bytes/byte-sink.js';

/** A few bytes that are written again and again, four at a time. */
export interface JsonFragment {
  readonly length: number;
  /** The bytes, and zeros up to the next multiple of four. */
  readonly words: Int32Array;
}

/** Goes before a value that is alone, or whose name was written already. */
export const NOTHING = fragment('');
/** Goes before an element of an array; the first one becomes its bracket. */
export const COMMA = fragment(',');
export const NULL = fragment('null');
export const TRUE = fragment('true');
export const FALSE = fragment('false');

/**
 * Written before a member's value. It begins with a comma, which is overwritten by the bracket of the
 * object for the first member: so a writer need not know whether a member is the first one.
 */
export function keyFragment(name: string): JsonFragment {
  return fragment(`,${JSON.stringify(name)}:`);
}

export function fragment(text: string): JsonFragment {
  const bytes = Buffer.from(text);
  const words = Int32Array.from({ length: Math.ceil(bytes.length / 4) }, (_, i) =>
    [0, 1, 2, 3].reduce((word, j) => word | ((bytes[i * 4 + j] ?? 0) << (j * 8)), 0),
  );
  return { length: bytes.length, words };
}

export function writeFragment(sink: ByteSink, { length, words }: JsonFragment): void {
  sink.reserve(length + 3);
  const { view, at } = sink;
  for (let i = 0; i < words.length; i++) view.setInt32(at + i * 4, words[i]!, true);
  sink.at = at + length;
}

/** Ends an object whose members were written from `start` on, each with a comma before it. */
export function closeObject(sink: ByteSink, start: number): void {
  close(sink, start, 0x7b, 0x7d);
}

/** Ends an array whose elements were written from `start` on, each with a comma before it. */
export function closeArray(sink: ByteSink, start: number): void {
  close(sink, start, 0x5b, 0x5d);
}

function close(sink: ByteSink, start: number, open: number, shut: number): void {
  sink.reserve(2);
  const { bytes } = sink;
  if (sink.at === start) sink.at++;
  bytes[start] = open;
  bytes[sink.at++] = shut;
}
