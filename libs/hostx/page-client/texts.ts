const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A span of time in the two largest units that say something: `2d 3h`, `5m 10s`, `42s`. */
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
  return texts.slice(0, 2).join(' ') || '0s';
}

/** A time as seen from another: `in 5m 10s`, `42s ago`, `now`. */
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

/** Megabytes to three digits. */
export function megabytesText(mb: number): string {
  return `${digits(mb)} MB`;
}

const BYTES: readonly (readonly [number, string])[] = [
  [1_073_741_824, 'GB'],
  [1_048_576, 'MB'],
  [1_024, 'KB'],
];

/** A figure as people say it: units are those of UCUM, as OpenTelemetry has them. */
export function figureText(value: number, unit: string): string {
  if (unit === 'By') {
    const [size, name] = BYTES.find(([size]) => Math.abs(value) >= size) ?? [1, 'bytes'];
    return `${size === 1 ? numberText(value) : digits(value / size)} ${name}`;
  }
  if (unit === 's')
    return value >= 120 ? spanText(value * SECOND) : millisecondsText(value * SECOND);
  if (unit === 'ms') return value >= 120 * SECOND ? spanText(value) : millisecondsText(value);
  // What is counted stands in braces, and 1 is not a unit.
  const counted = unit === '1' ? '' : unit.replaceAll(/[{}]/g, '');
  return `${numberText(value)} ${counted}`.trim();
}

/** A number of any size, with at most three digits behind the point. */
export function numberText(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 3 });
}

function digits(value: number): string {
  if (value >= 100 || value === 0) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}
