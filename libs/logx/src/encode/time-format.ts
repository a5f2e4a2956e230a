import { shownValue } from '@apix/contracts';
import { option, type Option, parsedOption } from '@apix/contracts/internal';

/**
 * The named layouts of times, all in UTC. `TimeRFC3339Ms` always has three digits of a second, so that
 * texts sort in the order of their times; the specification has the others.
 */
export const TIME_FORMATS = [
  'TimeRFC3339',
  'TimeRFC3339Ms',
  'TimeRFC3339Nano',
  'TimeDateTime',
  'TimeDateOnly',
  'TimeOnly',
  'TimeKitchen',
  'TimeUnix',
  'TimeUnixMs',
  'TimeUnixMicro',
  'TimeUnixNano',
] as const;

/** The name of a time format. */
export type TimeFormatName = (typeof TIME_FORMATS)[number];

/**
 * How times are written: a name, or a layout that shows how the reference time Mon Jan 2 15:04:05 MST 2006 is
 * written, such as `'2006-01-02 15:04:05.000'` or `'Jan _2 15:04:05'`.
 */
export type TimeFormat = TimeFormatName | `${string}${LayoutElement}${string}`;

/** Elements by which a compiler tells a layout from a misspelt name; one of a single digit is checked at run time. */
type LayoutElement =
  | '2006'
  | '06'
  | '15'
  | '03'
  | '04'
  | '05'
  | '01'
  | '02'
  | '_2'
  | 'Jan'
  | 'Mon'
  | 'PM'
  | 'pm'
  | 'MST';

/**
 * A text with an element of a layout. A misspelt name is none, although its digits may look like one: it is made of
 * letters and digits only.
 */
const LAYOUT =
  '^(?!(?!Jan|Mon|MST|PM|pm)[A-Za-z]{2}[A-Za-z0-9]*$)[^]*(?:Jan(?:uary|(?![a-z]))|Mon(?:day|(?![a-z]))|MST|PM|pm|06|[-Z]07|[1-5]|[.,](?:0+|9+)(?!\\d))';

const IS_LAYOUT = new RegExp(LAYOUT);

export const TIME_FORMAT: Option<TimeFormat> = parsedOption(timeFormatOf, {
  type: 'string',
  anyOf: [{ enum: TIME_FORMATS }, { pattern: LAYOUT }],
});

/** A list of time formats that is not empty. */
export const TIME_FORMAT_LIST = option<readonly [TimeFormat, ...TimeFormat[]]>(
  'a list of time formats',
  (value) => Array.isArray(value) && value.length > 0 && value.every(isTimeFormat),
);

/** Whether it is one of {@link TIME_FORMATS}, and not a layout. */
export function isTimeFormatName(format: unknown): format is TimeFormatName {
  return TIME_FORMATS.includes(format as TimeFormatName);
}

/** @throws RangeError for a text that is neither one of {@link TIME_FORMATS} nor a layout. */
export function parseTimeFormat(name: string): TimeFormat {
  return timeFormatOf(name);
}

function timeFormatOf(value: unknown): TimeFormat {
  if (isTimeFormat(value)) return value;
  throw new RangeError(
    `logx: unknown time format ${shownValue(value)}; use one of ${TIME_FORMATS.join(', ')}, or a layout that ` +
      'shows how Mon Jan 2 15:04:05 MST 2006 is written, such as "2006-01-02 15:04:05.000"',
  );
}

function isTimeFormat(value: unknown): value is TimeFormat {
  return typeof value === 'string' && (isTimeFormatName(value) || IS_LAYOUT.test(value));
}
