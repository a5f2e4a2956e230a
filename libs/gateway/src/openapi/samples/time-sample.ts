import type { Rules } from '../field-rules.js';

/** Neither is now, because the same descriptors make the same document on every day. */
const PAST = '2026-01-01T00:00:00Z';
const FUTURE = '2099-01-01T00:00:00Z';
const MS_PER_DAY = 86_400_000;

/** A time that a field's rules accept. A time that must be close to now has no sample. */
export function timestampSample(rules: Rules): string | undefined {
  if (rules['within'] !== undefined) return undefined;
  if (rules['gtNow'] === true) return FUTURE;
  const near = (bound: unknown, days: number): string[] => {
    const time = typeof bound === 'string' ? Date.parse(bound) + days * MS_PER_DAY : Number.NaN;
    return Number.isNaN(time) ? [] : [new Date(time).toISOString().replace('.000Z', 'Z')];
  };
  const all = [
    ...textsOf(rules['example']),
    ...textsOf(rules['const']),
    PAST,
    ...near(rules['gte'], 0),
    ...near(rules['gt'], 1),
    ...near(rules['lte'], 0),
    ...near(rules['lt'], -1),
  ];
  return all.find((time) => isInside(rules, time, Date.parse));
}

/** A length of time that a field's rules let through. */
export function durationSample(rules: Rules): string | undefined {
  const near = (bound: unknown, seconds: number): string[] =>
    typeof bound === 'string' ? [`${Number(bound.slice(0, -1)) + seconds}s`] : [];
  const all = [
    ...textsOf(rules['example']),
    ...textsOf(rules['const']),
    ...textsOf(rules['in']),
    '60s',
    '1s',
    ...near(rules['gte'], 0),
    ...near(rules['gt'], 1),
    ...near(rules['lte'], 0),
    ...near(rules['lt'], -0.001),
  ];
  const secondsOf = (text: string): number => Number(text.slice(0, -1));
  return all.find((text) => isInside(rules, text, secondsOf));
}

function isInside(rules: Rules, text: string, read: (text: string) => number): boolean {
  const value = read(text);
  const holds = (name: string, test: (bound: number) => boolean): boolean =>
    typeof rules[name] !== 'string' || test(read(rules[name]));
  return (
    holds('const', (bound) => value === bound) &&
    holds('gte', (bound) => value >= bound) &&
    holds('gt', (bound) => value > bound) &&
    holds('lte', (bound) => value <= bound) &&
    holds('lt', (bound) => value < bound) &&
    (!Array.isArray(rules['in']) || textsOf(rules['in']).includes(text)) &&
    !textsOf(rules['notIn']).includes(text)
  );
}

function textsOf(value: unknown): string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}
