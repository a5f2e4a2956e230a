import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { CelError } from '../cel-error.js';

const FIXED = /^([+-]?)(\d\d):(\d\d)$/;
const DAY_MS = 86_400_000;

/** Names of the parts of a timestamp, with how each is read from a date whose UTC parts are local. */
export const TIME_PARTS: Readonly<Record<string, (local: Date) => number>> = {
  getFullYear: (local) => local.getUTCFullYear(),
  getMonth: (local) => local.getUTCMonth(),
  getDate: (local) => local.getUTCDate(),
  getDayOfMonth: (local) => local.getUTCDate() - 1,
  getDayOfWeek: (local) => local.getUTCDay(),
  getDayOfYear: (local) => {
    const first = new Date(0);
    first.setUTCFullYear(local.getUTCFullYear(), 0, 1);
    return Math.floor((local.getTime() - first.getTime()) / DAY_MS);
  },
  getHours: (local) => local.getUTCHours(),
  getMinutes: (local) => local.getUTCMinutes(),
  getSeconds: (local) => local.getUTCSeconds(),
  getMilliseconds: (local) => local.getUTCMilliseconds(),
};

/** The date whose UTC parts are those of the timestamp in a zone: `Europe/Berlin`, `-08:00`; undefined is UTC. */
export function localDate(time: Timestamp, zone: string | undefined): Date | CelError {
  const ms = Number(time.seconds) * 1000 + Math.floor(time.nanos / 1e6);
  if (zone === undefined || zone === 'UTC') return new Date(ms);
  const fixed = FIXED.exec(zone);
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return new Date(ms + (fixed[1] === '-' ? -minutes : minutes) * 60_000);
  }
  const format = zoneFormat(zone);
  return format instanceof CelError ? format : inZone(format, ms);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function zoneFormat(zone: string): Intl.DateTimeFormat | CelError {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    // Names of zones may come from a caller: what is kept stays bounded.
    if (formats.size < 1000) formats.set(zone, format);
    return format;
  } catch (error) {
    return new CelError(`not a time zone: ${JSON.stringify(zone.slice(0, 64))}`, error);
  }
}

function inZone(format: Intl.DateTimeFormat, ms: number): Date {
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const local = new Date(0);
  local.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  const milliseconds = ((ms % 1000) + 1000) % 1000;
  local.setUTCHours(part('hour'), part('minute'), part('second'), milliseconds);
  return local;
}
