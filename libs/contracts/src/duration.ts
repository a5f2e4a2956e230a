import { shownValue } from './shown-value.js';

/** Milliseconds, or a string of numbers with units: `'500ms'`, `'10s'`, `'1m30s'`; `'0'` needs none. */
export type Duration = number | string;

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const PART = /(\d+(?:\.\d+)?)(ms|[smhd])/g;
const WHOLE = /^0$|^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;

/**
 * A duration in milliseconds. Units are `ms`, `s`, `m`, `h` and `d`; a sign, white space and
 * numbers without a unit inside a string are refused, but for `'0'`.
 *
 * @throws RangeError for anything else; it quotes the input.
 */
export function parseDuration(value: Duration): number {
  const problem = durationProblem(value);
  if (problem !== null) throw new RangeError(`apix: ${problem}`);
  return millisecondsOf(value);
}

/** What is wrong with a duration, in words without a prefix; null for a valid one. */
export function durationProblem(value: Duration): string | null {
  const ms = millisecondsOf(value);
  if (Number.isFinite(ms) && ms >= 0) return null;
  return (
    `${shownValue(value)} is not a valid duration; ` +
    'use milliseconds or a string such as "500ms", "10s" or "1m30s"'
  );
}

function millisecondsOf(value: Duration): number {
  return typeof value === 'number' ? value : parseText(value);
}

function parseText(text: unknown): number {
  if (typeof text !== 'string' || !WHOLE.test(text)) return Number.NaN;
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(PART)) ms += Number(amount) * UNIT_MS[unit!]!;
  return ms;
}

/** A short text that {@link parseDuration} reads back: `90_000` is `'1m30s'`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  let rest = ms;
  let text = '';
  for (const unit of ['d', 'h', 'm'] as const) {
    const amount = Math.floor(rest / UNIT_MS[unit]!);
    rest -= amount * UNIT_MS[unit]!;
    if (amount > 0) text += `${amount}${unit}`;
  }
  return rest > 0 ? `${text}${rest / 1_000}s` : text;
}
