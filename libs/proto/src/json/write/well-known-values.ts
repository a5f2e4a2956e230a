import { protoCamelCase, protoSnakeCase } from '@bufbuild/protobuf/reflect';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { FIRST_SECOND, LAST_SECOND, LONGEST_DURATION } from '../read/well-known.js';
import { type JsonFragment, writeFragment } from './fragments.js';
import { int64Of } from './scalar-values.js';
import { writeDigits, writeInteger } from './numbers.js';
import { UnwritableError, unexpected, type Fields, leaving } from './write-value.js';
import { writeJsonText } from './text.js';

const SECONDS_A_DAY = 86_400;
const QUOTE = 0x22;

/** Writes the fields of a google.protobuf.Timestamp or Duration. */
export type WriteTime = (sink: ByteSink, key: JsonFragment, seconds: number, nanos: number) => void;

/** Seconds and nanoseconds of a message, for a writer of both. */
export function writeTimeOf(
  write: WriteTime,
  sink: ByteSink,
  key: JsonFragment,
  message: Fields,
): void {
  const { seconds, nanos } = message;
  if (typeof nanos !== 'number' || (nanos | 0) !== nanos) unexpected('int32 in nanos', nanos);
  write(sink, key, Number(typeof seconds === 'bigint' ? seconds : int64Of(seconds)), nanos);
}

export function writeTimestamp(
  sink: ByteSink,
  key: JsonFragment,
  seconds: number,
  nanos: number,
): void {
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) {
    throw new UnwritableError(
      `google.protobuf.Timestamp is outside of the years 1 to 9999: ${seconds} seconds`,
    );
  }
  if (nanos < 0 || nanos > 999_999_999) {
    throw new UnwritableError(`nanos of google.protobuf.Timestamp out of range: ${nanos}`);
  }
  writeFragment(sink, key);
  sink.reserve(34);
  const day = Math.floor(seconds / SECONDS_A_DAY);
  const second = seconds - day * SECONDS_A_DAY;
  sink.bytes[sink.at++] = QUOTE;
  writeDate(sink, day);
  writeSeparated(sink, 0x54, (second / 3600) | 0);
  writeSeparated(sink, 0x3a, ((second / 60) | 0) % 60);
  writeSeparated(sink, 0x3a, second % 60);
  writeFraction(sink, nanos);
  sink.bytes[sink.at++] = 0x5a;
  sink.bytes[sink.at++] = QUOTE;
}

export function writeDuration(
  sink: ByteSink,
  key: JsonFragment,
  seconds: number,
  nanos: number,
): void {
  if (!(Math.abs(seconds) <= LONGEST_DURATION) || Math.abs(nanos) > 999_999_999) {
    throw new UnwritableError(
      `google.protobuf.Duration out of range: ${seconds} seconds, ${nanos} nanos`,
    );
  }
  if ((seconds > 0 && nanos < 0) || (seconds < 0 && nanos > 0)) {
    throw new UnwritableError(
      `seconds and nanos of google.protobuf.Duration differ in sign: ${seconds}, ${nanos}`,
    );
  }
  writeFragment(sink, key);
  sink.reserve(28);
  sink.bytes[sink.at++] = QUOTE;
  if (seconds < 0 || nanos < 0) sink.bytes[sink.at++] = 0x2d;
  writeInteger(sink, Math.abs(seconds));
  writeFraction(sink, Math.abs(nanos));
  sink.bytes[sink.at++] = 0x73;
  sink.bytes[sink.at++] = QUOTE;
}

/** The date of a day since 1970, counting years from March so that a leap day comes last. */
function writeDate(sink: ByteSink, day: number): void {
  const sinceMarch0 = day + 719_468;
  const era = Math.floor(sinceMarch0 / 146_097);
  const ofEra = sinceMarch0 - era * 146_097;
  const yearOfEra =
    ((ofEra - ((ofEra / 1460) | 0) + ((ofEra / 36_524) | 0) - ((ofEra / 146_096) | 0)) / 365) | 0;
  const ofYear = ofEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0));
  const fromMarch = ((5 * ofYear + 2) / 153) | 0;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  writeDigits(sink, yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 4);
  writeSeparated(sink, 0x2d, month);
  writeSeparated(sink, 0x2d, ofYear - (((153 * fromMarch + 2) / 5) | 0) + 1);
}

function writeSeparated(sink: ByteSink, separator: number, value: number): void {
  sink.bytes[sink.at++] = separator;
  writeDigits(sink, value, 2);
}

/** Three, six or nine digits, as many as it takes; none for a whole second. */
function writeFraction(sink: ByteSink, nanos: number): void {
  if (nanos === 0) return;
  sink.bytes[sink.at++] = 0x2e;
  if (nanos % 1_000_000 === 0) writeDigits(sink, nanos / 1_000_000, 3);
  else if (nanos % 1000 === 0) writeDigits(sink, nanos / 1000, 6);
  else writeDigits(sink, nanos, 9);
}

/** Writes the paths of a google.protobuf.FieldMask, as one text with commas. */
export function writeFieldMask(sink: ByteSink, key: JsonFragment, paths: unknown): void {
  if (!Array.isArray(paths)) unexpected('an array of paths', paths);
  let i = 0;
  const written: string[] = [];
  try {
    for (; i < paths.length; i++) written.push(jsonPath(paths[i]));
  } catch (error) {
    throw leaving(leaving(error, i), 'paths');
  }
  writeFragment(sink, key);
  writeJsonText(sink, written.join());
}

function jsonPath(path: unknown): string {
  if (typeof path !== 'string') unexpected('string', path);
  const jsonName = protoCamelCase(path);
  if (protoSnakeCase(jsonName) !== path) {
    throw new UnwritableError(
      `the path ${JSON.stringify(path)} of google.protobuf.FieldMask has no lowerCamelCase form that can be read back`,
    );
  }
  return jsonName;
}
