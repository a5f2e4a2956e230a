import { quote } from '../json-decode-error.js';
import type { JsonSource } from './json-source.js';
import { readString } from './scalars.js';

/** Seconds since 1970, or of a duration, and the rest. */
export interface Seconds {
  readonly seconds: bigint;
  readonly nanos: number;
}

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;
const DURATION = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/;
/** The first second of year 1 and the last one of year 9999 (timestamp.proto). */
export const FIRST_SECOND = -62_135_596_800;
export const LAST_SECOND = 253_402_300_799;
/** About 10,000 years (duration.proto). */
export const LONGEST_DURATION = 315_576_000_000;

/**
 * A point in time as ProtoJSON writes it; a text that says why not for a day, an hour or an offset
 * that does not exist, or a year outside of 1 to 9999.
 */
function timestampOf(text: string): Seconds | string {
  const match = RFC_3339.exec(text);
  if (match === null) return 'invalid RFC 3339 string';
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] =
    match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) {
    return `invalid RFC 3339 string: there is no day ${year}-${month}-${day}`;
  }
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return `invalid RFC 3339 string: there is no time ${hour}:${minute}:${second}`;
  }
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) {
    return `invalid RFC 3339 string: there is no offset ${offsetHour}:${offsetMinute}`;
  }
  const ofDay = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const offset = Number(offsetHour ?? 0) * 3600 + Number(offsetMinute ?? 0) * 60;
  const seconds = date.getTime() / 1000 + ofDay - (sign === '-' ? -offset : offset);
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) {
    return 'must be from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z inclusive';
  }
  return { seconds: BigInt(seconds), nanos: nanosOf(fraction) };
}

/** A duration as ProtoJSON writes it; undefined if it is not one. */
function durationOf(text: string): Seconds | undefined {
  const match = DURATION.exec(text);
  if (match === null) return undefined;
  const [, sign, whole, fraction] = match;
  const seconds = Number(whole);
  const nanos = nanosOf(fraction);
  if (seconds > LONGEST_DURATION) return undefined;
  const factor = sign === '-' ? -1 : 1;
  return { seconds: BigInt(factor * seconds), nanos: factor * nanos + 0 };
}

function nanosOf(fraction: string | undefined): number {
  return fraction === undefined ? 0 : Number(fraction.padEnd(9, '0'));
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
  // All paths at once: one call for each of a million takes a second.
  return text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).split(',');
}
