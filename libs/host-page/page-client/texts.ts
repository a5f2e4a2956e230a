const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in its largest unit and, if that is not zero, the next one: `2d 3h`, `5m 10s`, `5m`, `42s`. */
export function spanText(ms: number): string {
  const parts: readonly (readonly [number, string])[] = [
    [DAY, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'm'],
    [SECOND, 's'],
  ];
  let rest = Math.max(0, ms);
  const texts: string[] = [];
  for (const [unit, name] of parts) {
    const amount = Math.floor(rest / unit);
    rest -= amount * unit;
    if (texts.length > 0 || amount > 0) texts.push(`${amount}${name}`);
  }
  const [first = '0s', second = ''] = texts;
  return /^(?:0.)?$/.test(second) ? first : `${first} ${second}`;
}

/** A time relative to another: `in 5m 10s`, `42s ago`, `now`. */
export function relativeText(at: number, now: number): string {
  const ms = at - now;
  if (Math.abs(ms) < SECOND) return 'now';
  return ms > 0 ? `in ${spanText(ms)}` : `${spanText(-ms)} ago`;
}

/** A short time to three digits: `0.42 ms`, `12.3 ms`, `1.23 s`. */
export function millisecondsText(ms: number): string {
  if (ms >= SECOND) return `${digits(ms / SECOND)} s`;
  return `${digits(ms)} ms`;
}

/** How often in a second, to three digits. */
export function rateText(perSecond: number): string {
  return `${digits(perSecond)}/s`;
}

/** Megabytes to three digits. */
export function megabytesText(mb: number): string {
  return `${digits(mb)} MB`;
}

const BYTES: readonly (readonly [number, string])[] = [
  [1_073_741_824, 'GB'],
  [1_048_576, 'MB'],
  [1_024, 'KB'],
];

/** A metric value as readable text; the unit is in UCUM notation, as in OpenTelemetry. */
export function figureText(value: number, unit: string): string {
  if (unit === 'By') {
    const [size, name] = BYTES.find(([size]) => Math.abs(value) >= size) ?? [1, 'bytes'];
    return `${size === 1 ? numberText(value) : digits(value / size)} ${name}`;
  }
  if (unit === 's')
    return value >= 120 ? spanText(value * SECOND) : millisecondsText(value * SECOND);
  if (unit === 'ms') return value >= 120 * SECOND ? spanText(value) : millisecondsText(value);
  // Braces contain the name of the counted things, in the singular; `1` means that there is no unit.
  const counted = /^\{(.*)\}$/.exec(unit)?.[1];
  const name = counted === undefined ? unit : value === 1 ? counted : pluralOf(counted);
  return `${numberText(value)} ${unit === '1' ? '' : name}`.trim();
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
const OF_DAY = new Intl.DateTimeFormat(undefined, TIME);
const WITH_DATE = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', ...TIME });

/** A time in the viewer's time zone; with its date, unless it is on the same day as `now`. */
export function timeText(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return (isToday ? OF_DAY : WITH_DATE).format(at);
}

/** A number of any size, with at most three decimals. */
export function numberText(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 3 });
}

function digits(value: number): string {
  if (value >= 100 || value === 0) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}

/** Bytes in a megabyte as the page shows it. */
export const BYTES_PER_MB = 1_048_576;
