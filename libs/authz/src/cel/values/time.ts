import { create } from '@bufbuild/protobuf';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';
import { CelError } from '../cel-error.js';

const SECOND = 1_000_000_000n;
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;
const MOST_NANOS = 9_223_372_036_854_775_807n;

/** All of a timestamp or a duration in nanoseconds. */
export function nanosOf(time: Timestamp | Duration): bigint {
  return time.seconds * SECOND + BigInt(time.nanos);
}

/** A timestamp of nanoseconds since 1970; an error outside of the years 1 to 9999. */
export function timestampOfNanos(nanos: bigint): Timestamp | CelError {
  const rest = ((nanos % SECOND) + SECOND) % SECOND;
  const seconds = (nanos - rest) / SECOND;
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) {
    return new CelError('timestamp out of range: the years are 0001 to 9999');
  }
  return create(TimestampSchema, { seconds, nanos: Number(rest) });
}

/** A duration of nanoseconds; an error beyond 64 bits, which are 292 years. */
export function durationOfNanos(nanos: bigint): Duration | CelError {
  if (nanos > MOST_NANOS || nanos < -MOST_NANOS - 1n) {
    return new CelError('duration out of range: it must fit into 64 bits of nanoseconds');
  }
  return create(DurationSchema, { seconds: nanos / SECOND, nanos: Number(nanos % SECOND) });
}

const TIMESTAMP =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** A timestamp of RFC 3339; a day that does not exist is an error. */
export function parseTimestamp(text: string): Timestamp | CelError {
  const match = TIMESTAMP.exec(text);
  const bad = new CelError(`not a timestamp of RFC 3339: ${JSON.stringify(text.slice(0, 64))}`);
  if (match === null) return bad;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || hour > 23 || minute > 59 || second > 59) return bad;
  date.setUTCHours(hour, minute, second);
  const zoneMinutes = Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0);
  if (Number(match[9] ?? 0) > 23 || Number(match[10] ?? 0) > 59) return bad;
  const offset = match[8] === '-' ? -zoneMinutes : zoneMinutes;
  const seconds = BigInt(date.getTime() / 1000 - offset * 60);
  return timestampOfNanos(seconds * SECOND + BigInt((match[7] ?? '').padEnd(9, '0')));
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};
const DURATION = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const DURATION_PART = /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g;

/** A duration such as `1h30m`, `-1.5s` or `0`. */
export function parseCelDuration(text: string): Duration | CelError {
  if (text.length > 128 || !DURATION.test(text)) {
    return new CelError(`not a duration such as 1h30m: ${JSON.stringify(text.slice(0, 64))}`);
  }
  let nanos = 0n;
  for (const [, whole = '', part = '', unit = ''] of text.matchAll(DURATION_PART)) {
    const factor = UNITS[unit] ?? 0n;
    nanos +=
      BigInt(whole || 0) * factor + (BigInt(part || 0) * factor) / 10n ** BigInt(part.length);
  }
  return durationOfNanos(text.startsWith('-') ? -nanos : nanos);
}

/** As ProtoJSON has it: `2026-01-01T00:00:00.120Z`, with 0, 3, 6 or 9 digits of a second. */
export function formatTimestamp(time: Timestamp): string {
  const text = new Date(Number(time.seconds) * 1000).toISOString();
  return `${text.slice(0, 19)}${fraction(time.nanos)}Z`;
}

/** As ProtoJSON has it: `-1.500s`. */
export function formatCelDuration(time: Duration): string {
  const nanos = nanosOf(time);
  const size = nanos < 0n ? -nanos : nanos;
  return `${nanos < 0n ? '-' : ''}${size / SECOND}${fraction(Number(size % SECOND))}s`;
}

function fraction(nanos: number): string {
  if (nanos === 0) return '';
  const digits = String(nanos).padStart(9, '0');
  if (digits.endsWith('000000')) return `.${digits.slice(0, 3)}`;
  return digits.endsWith('000') ? `.${digits.slice(0, 6)}` : `.${digits}`;
}
