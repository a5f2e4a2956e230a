import type { DescMessage } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { quote } from '../json-decode-error.js';
import type { JsonSource } from './json-source.js';
import { readString } from './scalars.js';
import { type Seconds, durationOf, timestampOf } from './times.js';

const JSON_FORMS: ReadonlySet<string> = new Set([
  'google.protobuf.Any',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
  'google.protobuf.FieldMask',
  'google.protobuf.Struct',
  'google.protobuf.Value',
  'google.protobuf.ListValue',
]);

/** Whether the JSON form of a type is no object of its fields. */
export function hasJsonForm(desc: DescMessage): boolean {
  return JSON_FORMS.has(desc.typeName) || isWrapperDesc(desc);
}

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
  return text
    .split(',')
    .map((path) => path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}
