/** Writes one part of a time, in UTC. */
type TimePart = (date: Date) => string;

/** A compiled layout. */
export interface TimeLayout {
  readonly write: (date: Date) => string;
  /** Whether texts differ within a second. */
  readonly hasFraction: boolean;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const DAY_MS = 86_400_000;

/**
 * The elements of a layout, the longest first (Go, package time, nextStdChunk). After an underscore `2006` is
 * always the year.
 */
const ELEMENT =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|0[1-6]|15|2006|_(?=2006)|__2|_2|[-Z]07(?:0000|:00:00|00|:00)?|[.,](?:0+|9+)(?!\d)|PM|pm|[1-5]/g;

const PARTS: Readonly<Record<string, TimePart>> = {
  January: (date) => MONTHS[date.getUTCMonth()]!,
  Jan: (date) => MONTHS[date.getUTCMonth()]!.slice(0, 3),
  '01': (date) => digits(date.getUTCMonth() + 1, 2),
  '1': (date) => String(date.getUTCMonth() + 1),
  Monday: (date) => DAYS[date.getUTCDay()]!,
  Mon: (date) => DAYS[date.getUTCDay()]!.slice(0, 3),
  '02': (date) => digits(date.getUTCDate(), 2),
  _2: (date) => String(date.getUTCDate()).padStart(2),
  '2': (date) => String(date.getUTCDate()),
  '002': (date) => digits(dayOfYear(date), 3),
  __2: (date) => String(dayOfYear(date)).padStart(3),
  '2006': (date) => year(date),
  '06': (date) => digits(Math.max(0, date.getUTCFullYear()) % 100, 2),
  '15': (date) => digits(date.getUTCHours(), 2),
  '03': (date) => digits(hourOfHalf(date), 2),
  '3': (date) => String(hourOfHalf(date)),
  '04': (date) => digits(date.getUTCMinutes(), 2),
  '4': (date) => String(date.getUTCMinutes()),
  '05': (date) => digits(date.getUTCSeconds(), 2),
  '5': (date) => String(date.getUTCSeconds()),
  PM: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  pm: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  MST: () => 'UTC',
  _: () => '_',
};

/** Compiles a layout that shows how the reference time is written: Mon Jan 2 15:04:05 MST 2006. */
export function compileLayout(layout: string): TimeLayout {
  const parts: TimePart[] = [];
  let end = 0;
  let hasFraction = false;
  for (const { 0: element, index } of layout.matchAll(ELEMENT)) {
    const literal = layout.slice(end, index);
    parts.push(() => literal, partOf(element));
    hasFraction ||= isFraction(element);
    end = index + element.length;
  }
  const rest = layout.slice(end);
  return {
    write: (date) => parts.reduce((text, part) => text + part(date), '') + rest,
    hasFraction,
  };
}

function partOf(element: string): TimePart {
  const known = PARTS[element];
  if (known !== undefined) return known;
  if (isFraction(element)) return fractionOf(element);
  // Times are in UTC: its offset is nothing, or Z.
  const zone = element.startsWith('Z') ? 'Z' : element.replace('-', '+').replace('7', '0');
  return () => zone;
}

function isFraction(element: string): boolean {
  return element.startsWith('.') || element.startsWith(',');
}

/** Zeros are digits that are always written, nines those that are not if they are zeros at the end. */
function fractionOf(element: string): TimePart {
  const count = Math.min(element.length - 1, 9);
  const isTrimmed = element[1] === '9';
  return (date) => {
    const all = digits(date.getUTCMilliseconds(), 3).padEnd(9, '0').slice(0, count);
    const shown = isTrimmed ? all.replace(/0+$/, '') : all;
    return shown === '' ? '' : element[0]! + shown;
  };
}

function year(date: Date): string {
  const whole = date.getUTCFullYear();
  return whole < 0 ? `-${digits(-whole, 4)}` : digits(whole, 4);
}

function hourOfHalf(date: Date): number {
  return date.getUTCHours() % 12 || 12;
}

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / DAY_MS) + 1;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}
