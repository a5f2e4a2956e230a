import type { TimeFormat } from './time-format.js';

/** Writes a time, in milliseconds since the epoch, as JSON: a quoted text or a number. */
export type TimeWriter = (time: number) => string;

type TextFormat = Exclude<TimeFormat, `TimeUnix${string}`>;

/** A writer that remembers its last text, because there are many events in a second. */
export function timeWriter(format: TimeFormat): TimeWriter {
  const unit = isWholeSeconds(format) ? 1000 : 1;
  let last = NaN;
  let text = '';
  return (time) => {
    const now = Math.floor(time / unit);
    if (now !== last) {
      last = now;
      text = timeJson(now * unit, format);
    }
    return text;
  };
}

function isWholeSeconds(format: TimeFormat): boolean {
  return !MILLISECONDS.has(format);
}

const MILLISECONDS: ReadonlySet<TimeFormat> = new Set<TimeFormat>([
  'TimeRFC3339Ms',
  'TimeRFC3339Nano',
  'TimeUnixMs',
  'TimeUnixMicro',
  'TimeUnixNano',
]);

function timeJson(time: number, format: TimeFormat): string {
  switch (format) {
    case 'TimeUnix':
      return String(Math.floor(time / 1000));
    case 'TimeUnixMs':
      return String(time);
    case 'TimeUnixMicro':
      return zeros(time, 3);
    case 'TimeUnixNano':
      return zeros(time, 6);
    case 'TimeRFC3339':
    case 'TimeRFC3339Ms':
    case 'TimeRFC3339Nano':
    case 'TimeDateTime':
    case 'TimeDateOnly':
    case 'TimeOnly':
    case 'TimeKitchen':
      return `"${timeText(time, format)}"`;
  }
}

/** Digits, because a double cannot represent a number of nanoseconds exactly. */
export function zeros(time: number, count: number): string {
  return time === 0 ? '0' : String(time) + '0'.repeat(count);
}

function timeText(time: number, format: TextFormat): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return 'Invalid Date';
  const iso = date.toISOString();
  const [day, clock] = iso.slice(0, -1).split('T') as [string, string];
  const seconds = clock.slice(0, 8);
  switch (format) {
    case 'TimeRFC3339':
      return `${day}T${seconds}Z`;
    case 'TimeRFC3339Ms':
      return iso;
    case 'TimeRFC3339Nano':
      return `${day}T${seconds}${clock.slice(8).replace(/\.?0+$/, '')}Z`;
    case 'TimeDateTime':
      return `${day} ${seconds}`;
    case 'TimeDateOnly':
      return day;
    case 'TimeOnly':
      return seconds;
    case 'TimeKitchen': {
      const hours = date.getUTCHours();
      return `${hours % 12 || 12}:${clock.slice(3, 5)}${hours < 12 ? 'AM' : 'PM'}`;
    }
  }
}
