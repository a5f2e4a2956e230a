import type { Rules } from '../field-rules.js';

/** The properties of a number that are not in its rules. */
export interface NumberKind {
  readonly isWhole: boolean;
  readonly isUnsigned: boolean;
}

/**
 * The number nearest to 1 that a field's rules let through, or its example; undefined if none is found. As
 * text, because a JavaScript number cannot hold 64 bits.
 */
export function numberSample(
  rules: Rules,
  { isWhole, isUnsigned }: NumberKind,
): string | undefined {
  const all = [
    ...listOf(rules['example']),
    ...listOf(rules['const']),
    ...listOf(rules['in']),
    '1',
    ...bounds(rules['gte'], [0]),
    ...bounds(rules['lte'], [0]),
    ...bounds(rules['gt'], isWhole ? [1] : [1, 0.5, 0.001]),
    ...bounds(rules['lt'], isWhole ? [-1] : [-1, -0.5, -0.001]),
    '0',
    '2',
    '3',
  ];
  return all.find(
    (text) =>
      fitsNumber(rules, text) &&
      (!isWhole || /^-?\d+$/.test(text)) &&
      (!isUnsigned || !text.startsWith('-')),
  );
}

/** Whether a number keeps to the rules, apart from CEL. */
export function fitsNumber(rules: Rules, text: string): boolean {
  const { const: only, notIn } = rules;
  const least = rules['gte'] ?? rules['gt'];
  const most = rules['lte'] ?? rules['lt'];
  const isAbove =
    least === undefined ||
    compare(text, least) > 0 ||
    (rules['gte'] !== undefined && equal(text, least));
  const isBelow =
    most === undefined ||
    compare(text, most) < 0 ||
    (rules['lte'] !== undefined && equal(text, most));
  // Crossed bounds mean the values outside of them.
  const isOutside = least !== undefined && most !== undefined && compare(least, most) > 0;
  return (
    Number.isFinite(Number(text)) &&
    (only === undefined || equal(text, only)) &&
    (!Array.isArray(rules['in']) || listOf(rules['in']).some((each) => equal(text, each))) &&
    !listOf(notIn).some((each) => equal(text, each)) &&
    (isOutside ? isAbove || isBelow : isAbove && isBelow)
  );
}

function bounds(bound: unknown, steps: readonly number[]): string[] {
  if (bound === undefined) return [];
  const text = typeof bound === 'string' ? bound : JSON.stringify(bound);
  return steps.map((step) =>
    /^-?\d+$/.test(text) && Number.isInteger(step)
      ? String(BigInt(text) + BigInt(step))
      : String(Number(text) + step),
  );
}

function listOf(value: unknown): string[] {
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

function equal(left: unknown, right: unknown): boolean {
  return compare(left, right) === 0;
}

function compare(left: unknown, right: unknown): number {
  const [a, b] = [String(left), String(right)];
  if (/^-?\d+$/.test(a) && /^-?\d+$/.test(b)) {
    const difference = BigInt(a) - BigInt(b);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }
  return Number(a) - Number(b);
}

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
