import { Buffer } from 'node:buffer';
import type { ByteSink } from '../../bytes/byte-sink.js';

/** Goes before a value that is alone, or whose name was written already. */
export const NOTHING = new Uint8Array(0);
/** Goes before an element of an array; the first one becomes its bracket. */
export const COMMA = Uint8Array.of(0x2c);
export const NULL = fragment('null');
export const TRUE = fragment('true');
export const FALSE = fragment('false');

/**
 * Goes before a member's value. It begins with a comma, which becomes the bracket of the object
 * before the first member: so nobody has to know whether a member is the first one.
 */
export function keyFragment(name: string): Uint8Array {
  return fragment(`,${JSON.stringify(name)}:`);
}

export function fragment(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}

/** Appends a few bytes; for so few a loop is faster than a call of the platform. */
export function writeFragment(sink: ByteSink, bytes: Uint8Array): void {
  const { length } = bytes;
  sink.reserve(length);
  const target = sink.bytes;
  let { at } = sink;
  for (let i = 0; i < length; i++) target[at++] = bytes[i]!;
  sink.at = at;
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
