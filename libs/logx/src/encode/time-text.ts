import { onceForText } from '@apix/contracts/internal';
import { quoteJson } from '../value/json-text.js';
import { isTimeFormatName, type TimeFormat, type TimeFormatName } from './time-format.js';
import { compileLayout, type TimeLayout } from './time-layout.js';

/** Writes a time, in milliseconds since the epoch: as JSON, a quoted text or a number, if nothing else is said. */
export type TimeWriter = (time: number) => string;

type NumberFormat = Extract<TimeFormatName, `TimeUnix${string}`>;
type NamedLayout = Exclude<TimeFormatName, NumberFormat>;

const LAYOUTS: Readonly<Record<NamedLayout, string>> = {
  TimeRFC3339: '2006-01-02T15:04:05Z07:00',
  TimeRFC3339Ms: '2006-01-02T15:04:05.000Z07:00',
  TimeRFC3339Nano: '2006-01-02T15:04:05.999999999Z07:00',
  TimeDateTime: '2006-01-02 15:04:05',
  TimeDateOnly: '2006-01-02',
  TimeOnly: '15:04:05',
  TimeKitchen: '3:04PM',
};

const NUMBERS: Readonly<Record<NumberFormat, TimeWriter>> = {
  TimeUnix: (time) => String(Math.floor(time / 1000)),
  TimeUnixMs: String,
  TimeUnixMicro: (time) => zeros(time, 3),
  TimeUnixNano: (time) => zeros(time, 6),
};

const layoutOf: (layout: string) => TimeLayout = onceForText(compileLayout);

/** A writer that remembers its last text, because there are many events in a second. */
export function timeWriter(format: TimeFormat): TimeWriter {
  if (isTimeFormatName(format) && !isLayoutName(format)) {
    return remembering(NUMBERS[format], format === 'TimeUnix' ? 1000 : 1);
  }
  const layout = layoutOf(isTimeFormatName(format) ? LAYOUTS[format as NamedLayout] : format);
  return remembering((time) => layoutJson(time, layout), layout.hasFraction ? 1 : 1000);
}

/** The same as a text that is not JSON, which `shown` may change; as rarely as the time's own text changes. */
export function plainTimeWriter(
  format: TimeFormat,
  shown: (text: string) => string = (text) => text,
): TimeWriter {
  const write = timeWriter(format);
  let last = '';
  let text = '';
  return (time) => {
    const json = write(time);
    if (json !== last) {
      last = json;
      text = shown(json.startsWith('"') ? (JSON.parse(json) as string) : json);
    }
    return text;
  };
}

function remembering(write: TimeWriter, unit: number): TimeWriter {
  let last = NaN;
  let text = '';
  return (time) => {
    const now = Math.floor(time / unit);
    if (now !== last) {
      last = now;
      text = write(now * unit);
    }
    return text;
  };
}

function isLayoutName(format: TimeFormatName): format is NamedLayout {
  return format in LAYOUTS;
}

function layoutJson(time: number, { write }: TimeLayout): string {
  const date = new Date(time);
  return quoteJson(Number.isNaN(date.getTime()) ? 'Invalid Date' : write(date));
}

/** Digits, because a double cannot represent a number of nanoseconds exactly. */
export function zeros(time: number, count: number): string {
  return time === 0 ? '0' : String(time) + '0'.repeat(count);
}
