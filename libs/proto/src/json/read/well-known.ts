import { quote } from '../json-decode-error.js';
import type { JsonSource } from './json-source.js';
import { readString } from './scalars.js';
import { type Seconds, durationOf, timestampOf } from './times.js';

export function readTimestamp(source: JsonSource): Seconds {
  if (source.peek() !== 0x22) return source.expected('google.protobuf.Timestamp');
  const time = timestampOf(source.string());
  return typeof time === 'string' ? source.fail(time) : time;
}

export function readDuration(source: JsonSource): Seconds {
  if (source.peek() !== 0x22) return source.expected('google.protobuf.Duration');
  const text = source.string();
  return durationOf(text) ?? source.fail(`expected google.protobuf.Duration, got ${quote(text)}`);
}

/** The paths of a google.protobuf.FieldMask, by proto names. */
export function readFieldMask(source: JsonSource): string[] {
  const text = readString(source);
  if (text.includes('_')) source.fail('path names must be lowerCamelCase');
  if (text === '') return [];
  // All paths at once: one call for each of a million takes a second.
  return text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).split(',');
}
