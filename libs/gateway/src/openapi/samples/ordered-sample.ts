import { type Rules, textsIn } from '@apix/proto/internal';

/** Below 0 if the first is less, 0 if they are equal. */
type Compare = (a: string, b: string) => number;

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
    ...textsIn(rules, 'example'),
    ...textsIn(rules, 'const'),
    ...textsIn(rules, 'in'),
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
  return Number.isFinite(Number(text)) && fits(rules, text, compareNumbers);
}

/** Whether a value keeps to the rules for values that have an order. */
function fits(rules: Rules, text: string, compare: Compare): boolean {
  const is = (name: string, test: (difference: number) => boolean): boolean =>
    textsIn(rules, name).every((bound) => test(compare(text, bound)));
  const isAmong = (name: string): boolean =>
    textsIn(rules, name).some((each) => compare(text, each) === 0);
  const isAbove = is('gte', (it) => it >= 0) && is('gt', (it) => it > 0);
  const isBelow = is('lte', (it) => it <= 0) && is('lt', (it) => it < 0);
  const [least] = [...textsIn(rules, 'gte'), ...textsIn(rules, 'gt')];
  const [most] = [...textsIn(rules, 'lte'), ...textsIn(rules, 'lt')];
  // Crossed bounds mean the values outside of them.
  const isOutside = least !== undefined && most !== undefined && compare(least, most) > 0;
  return (
    is('const', (it) => it === 0) &&
    (!Array.isArray(rules['in']) || isAmong('in')) &&
    !isAmong('notIn') &&
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

function compareNumbers(a: string, b: string): number {
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
    ...textsIn(rules, 'example'),
    ...textsIn(rules, 'const'),
    PAST,
    ...near(rules['gte'], 0),
    ...near(rules['gt'], 1),
    ...near(rules['lte'], 0),
    ...near(rules['lt'], -1),
  ];
  return all.find((time) => fits(rules, time, (a, b) => Date.parse(a) - Date.parse(b)));
}

/** A length of time that a field's rules let through. */
export function durationSample(rules: Rules): string | undefined {
  const near = (bound: unknown, seconds: number): string[] =>
    typeof bound === 'string' ? [`${Number(bound.slice(0, -1)) + seconds}s`] : [];
  const all = [
    ...textsIn(rules, 'example'),
    ...textsIn(rules, 'const'),
    ...textsIn(rules, 'in'),
    '60s',
    '1s',
    ...near(rules['gte'], 0),
    ...near(rules['gt'], 1),
    ...near(rules['lte'], 0),
    ...near(rules['lt'], -0.001),
  ];
  const secondsOf = (text: string): number => Number(text.slice(0, -1));
  return all.find((text) => fits(rules, text, (a, b) => secondsOf(a) - secondsOf(b)));
}
