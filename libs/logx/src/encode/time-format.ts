import { shownValue } from '@apix/contracts';
import { choice, type Option } from '@apix/contracts/options';

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

export type TimeFormat = (typeof TIME_FORMATS)[number];

export const TIME_FORMAT: Option<TimeFormat> = choice(TIME_FORMATS);

/** @throws RangeError for a name that is not one of {@link TIME_FORMATS}. */
export function parseTimeFormat(name: string): TimeFormat {
  const format = TIME_FORMATS.find((known) => known === name);
  if (format !== undefined) return format;
  throw new RangeError(
    `logx: unknown time format ${shownValue(name)}; use one of ${TIME_FORMATS.join(', ')}`,
  );
}
