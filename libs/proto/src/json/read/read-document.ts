import { Buffer, isUtf8 } from 'node:buffer';
import { thrownText } from '@apix/contracts';
import { JsonDecodeError, quote } from '../json-decode-error.js';
import type { JsonReading } from './json-progress.js';
import { JsonSource } from './json-source.js';

/**
 * Reads a whole document: JSON text, its UTF-8 bytes, or the result of a parser.
 *
 * @throws JsonDecodeError
 */
export function readJsonDocument<T>(
  json: unknown,
  reading: JsonReading,
  read: (source: JsonSource) => T,
): T {
  const source = sourceOf(json, reading);
  const value = read(source);
  source.peek();
  if (source.at < source.end) source.failAt(source.at, 'expected the end');
  return value;
}

function sourceOf(json: unknown, reading: JsonReading): JsonSource {
  if (typeof json === 'string') return new JsonSource(encoded(json), reading, false);
  if (json instanceof Uint8Array) {
    if (!isUtf8(json)) throw new JsonDecodeError('$', 'invalid UTF-8');
    return new JsonSource(withoutMark(viewOf(json)), reading, false);
  }
  return new JsonSource(encoded(textOf(json)), reading, true);
}

function encoded(text: string): Buffer {
  if (!text.isWellFormed()) throw new JsonDecodeError('$', 'invalid UTF-16');
  return Buffer.from(text);
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** RFC 8259, section 8.1, lets a parser ignore a byte order mark. */
function withoutMark(bytes: Buffer): Buffer {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

/** A parsed document as text again, so that there is one reader with one set of rules. */
function textOf(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, refuseOtherNumbers);
  } catch (error) {
    if (error instanceof JsonDecodeError) throw error;
    const problem =
      error instanceof RangeError ? 'nested deeper than the stack' : thrownText(error);
    throw new JsonDecodeError('$', problem, { cause: error });
  }
  if (text === undefined) throw new JsonDecodeError('$', `expected JSON, got ${typeof value}`);
  return text;
}

/** `JSON.stringify` makes null of them. */
function refuseOtherNumbers(key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw new JsonDecodeError('$', `${quote(key)} is ${value}, which JSON has no number for`);
}
