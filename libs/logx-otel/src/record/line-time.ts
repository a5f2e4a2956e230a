import type { TimeFormatName } from '@apix/logx/core';
import type { HrTime } from '@opentelemetry/api';
import { hrTimeOf } from './event-translator.js';

const DAY_MS = 86_400_000;

/** The number of units per second of each numeric format. */
const UNITS: ReadonlyMap<TimeFormatName, number> = new Map([
  ['TimeUnix', 1],
  ['TimeUnixMs', 1e3],
  ['TimeUnixMicro', 1e6],
  ['TimeUnixNano', 1e9],
]);

/**
 * Reads the `time` of a line; undefined if it does not have the format. A time of day without a date
 * belongs to the latest day, in UTC, on which it is not after `now`. A number of nanoseconds is exact
 * to a microsecond, because a double is not more precise.
 */
export function timeOf(value: unknown, format: TimeFormatName, now: number): HrTime | undefined {
  if (typeof value === 'number') return timeOfNumber(value, format);
  if (typeof value !== 'string') return undefined;
  switch (format) {
    case 'TimeDateTime':
      return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)
        ? timeOfText(`${value.replace(' ', 'T')}Z`)
        : undefined;
    case 'TimeDateOnly':
      return /^\d{4}-\d\d-\d\d$/.test(value) ? timeOfText(`${value}T00:00:00Z`) : undefined;
    case 'TimeOnly':
      return timeOfDay(/^(\d\d):(\d\d):(\d\d)$/.exec(value), now);
    case 'TimeKitchen':
      return timeOfDay(kitchen(value), now);
    case 'TimeRFC3339':
    case 'TimeRFC3339Ms':
    case 'TimeRFC3339Nano':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(value)
        ? timeOfText(value)
        : undefined;
    case 'TimeUnix':
    case 'TimeUnixMs':
    case 'TimeUnixMicro':
    case 'TimeUnixNano':
      return undefined;
  }
}

function timeOfNumber(value: number, format: TimeFormatName): HrTime | undefined {
  const perSecond = UNITS.get(format);
  if (perSecond === undefined || !Number.isFinite(value) || value < 0) return undefined;
  const seconds = Math.floor(value / perSecond);
  const micros = Math.round(((value - seconds * perSecond) / perSecond) * 1e6);
  return micros === 1e6 ? [seconds + 1, 0] : [seconds, micros * 1e3];
}

/** `Date.parse` reads only milliseconds, so the fraction is read separately. */
function timeOfText(text: string): HrTime | undefined {
  const time = Date.parse(text.replace(/\.\d+/, ''));
  if (Number.isNaN(time)) return undefined;
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  return [Math.floor(time / 1_000), Number(fraction.slice(0, 9).padEnd(9, '0'))];
}

function kitchen(text: string): readonly (string | number)[] | null {
  const [, hours, minutes, half] = /^(\d{1,2}):(\d\d)(AM|PM)$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) < 1 || Number(hours) > 12) return null;
  return [text, (Number(hours) % 12) + (half === 'PM' ? 12 : 0), minutes!, 0];
}

function timeOfDay(parts: readonly (string | number)[] | null, now: number): HrTime | undefined {
  if (parts === null) return undefined;
  const [hours, minutes, seconds] = parts.slice(1).map(Number) as [number, number, number];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const ofDay = (hours * 3_600 + minutes * 60 + seconds) * 1_000;
  const today = Math.floor(now / DAY_MS) * DAY_MS + ofDay;
  return hrTimeOf(today > now ? today - DAY_MS : today);
}
