import { shownValue } from '@apix/contracts';
import { cronErrorOf } from '../errors.js';

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

interface FieldRule {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names that may be used instead of numbers, the first one for `min`. */
  readonly names: readonly string[];
}

const RULES: readonly FieldRule[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  // Sunday is 0 and 7, as in every cron since Vixie's.
  { name: 'day of week', min: 0, max: 7, names: DAYS },
];

/** A field of an expression, in order: minute, hour, day of month, month, day of week. */
export interface ExpressionField {
  /** The field in numbers, without names. */
  readonly text: string;
  readonly values: readonly number[];
  /** Whether the text begins with `*`: what makes day of month and day of week restrict each other. */
  readonly isStar: boolean;
}

export type ExpressionFields = readonly [
  ExpressionField,
  ExpressionField,
  ExpressionField,
  ExpressionField,
  ExpressionField,
];

/**
 * Reads a classic expression of five fields, or an alias such as `@daily`: lists, ranges, steps
 * of `*` and of ranges, names of months and days in any case. Nothing else: no seconds, years,
 * `L`, `W`, `#` or `?`.
 *
 * @throws CronError that quotes the expression and says which field is wrong.
 */
export function expressionFields(expression: string): ExpressionFields {
  const refuse = (why: string): never => {
    throw cronErrorOf('cron')([`${shownValue(expression)}: ${why}`]);
  };
  if (typeof expression !== 'string') return refuse('an expression must be a string');
  const trimmed = expression.trim();
  const parts = (ALIASES.get(trimmed.toLowerCase()) ?? trimmed).split(/\s+/);
  if (trimmed.startsWith('@') && parts.length === 1) {
    return refuse(`there is no such alias; use one of ${[...ALIASES.keys()].join(', ')}`);
  }
  if (parts.length !== 5) {
    // Why: docs/decisions/0081
    const hint = parts.length === 6 ? '; seconds are not supported; drop the first field' : '';
    const count = trimmed === '' ? 0 : parts.length;
    return refuse(
      `must have 5 fields (minute hour day-of-month month day-of-week), not ${count}${hint}`,
    );
  }
  const fields = parts.map((part, index) => {
    const rule = RULES[index]!;
    return parseField(part, rule, (why) => refuse(`${rule.name} ${JSON.stringify(part)}: ${why}`));
  }) as unknown as ExpressionFields;
  if (!canHappen(fields)) refuse('no year has such a day');
  return fields;
}

function parseField(
  part: string,
  rule: FieldRule,
  refuse: (why: string) => never,
): ExpressionField {
  const values = new Set<number>();
  const texts = part.split(',').map((item) => {
    const [range = '', step, ...rest] = item.split('/');
    if (rest.length > 0) refuse('more than one "/"');
    const [low = '', high, ...more] = range.split('-');
    if (more.length > 0) refuse('more than one "-"');
    const every = step === undefined ? 1 : numberOf(step, 1, rule.max, refuse);
    let from = rule.min;
    let to = rule.names === DAYS ? 6 : rule.max;
    if (range !== '*') {
      from = valueOf(low, rule, refuse);
      to = high === undefined ? from : valueOf(high, rule, refuse, from);
      if (to < from) refuse('a range must not run backwards');
      if (high === undefined && step !== undefined) refuse('a step must follow "*" or a range');
    }
    for (let value = from; value <= to; value += every) values.add(value);
    const numbers = range === '*' ? '*' : high === undefined ? `${from}` : `${from}-${to}`;
    return step === undefined ? numbers : `${numbers}/${every}`;
  });
  if (rule.names === DAYS && values.delete(7)) values.add(0);
  const sorted = [...values].toSorted((a, b) => a - b);
  return { text: texts.join(','), values: sorted, isStar: part.startsWith('*') };
}

/** A number or a name; at the end of a range Sunday is 7, so that `fri-sun` is a weekend. */
function valueOf(
  text: string,
  rule: FieldRule,
  refuse: (why: string) => never,
  from?: number,
): number {
  const named = rule.names.indexOf(text.toLowerCase());
  if (named === -1) return numberOf(text, rule.min, rule.max, refuse);
  const value = named + rule.min;
  return rule.names === DAYS && value === 0 && from !== undefined && from > 0 ? 7 : value;
}

function numberOf(text: string, min: number, max: number, refuse: (why: string) => never): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  return refuse(`${JSON.stringify(text)} must be a number from ${min} to ${max}`);
}

/** Whether some month has some of the days; a free choice by day of week always happens. */
function canHappen([, , dayOfMonth, month, dayOfWeek]: ExpressionFields): boolean {
  if (!dayOfMonth.isStar && !dayOfWeek.isStar) return true;
  return month.values.some((one) => dayOfMonth.values[0]! <= DAYS_OF_MONTH[one - 1]!);
}
