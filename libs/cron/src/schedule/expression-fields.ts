import { shownValue } from '@apix/contracts';
import { nearestName } from '@apix/contracts/internal';
import { cronErrorOf } from '../errors.js';
import { dialectHint, fieldsHint, termHint } from './dialects.js';
import { DAYS, DAYS_OF_MONTH, type FieldRule, RULES } from './field-rules.js';

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

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
 * of `*` and of ranges, names of months and days in any case. A sixth field before them, for seconds, may
 * only be 0. Nothing else: no years, `L`, `W`, `#` or `?`.
 *
 * @throws CronError that quotes the expression and says which field is wrong.
 */
export function expressionFields(expression: string): ExpressionFields {
  const refuse = (why: string): never => {
    throw cronErrorOf('cron')([`${shownValue(expression)}: ${why}`]);
  };
  if (typeof expression !== 'string') return refuse('an expression must be a string');
  const trimmed = expression.trim();
  const dialect = dialectHint(trimmed);
  if (dialect !== null) return refuse(dialect);
  const written = (ALIASES.get(trimmed.toLowerCase()) ?? trimmed).split(/\s+/);
  if (trimmed.startsWith('@') && written.length === 1) {
    const nearest = nearestName(trimmed.toLowerCase(), ALIASES.keys());
    const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    return refuse(
      `there is no such alias${meant || `; use one of ${[...ALIASES.keys()].join(', ')}`}`,
    );
  }
  // Why: docs/decisions/0081
  const parts = isWithoutSeconds(written) ? written.slice(1) : written;
  if (parts.length !== 5) {
    const count = trimmed === '' ? 0 : parts.length;
    return refuse(
      `must have 5 fields (minute hour day-of-month month day-of-week), not ${count}${fieldsHint(parts)}`,
    );
  }
  const fields = parts.map((part, index) => {
    const rule = RULES[index]!;
    return parseField(part, rule, (why) => refuse(`${rule.name} ${JSON.stringify(part)}: ${why}`));
  }) as unknown as ExpressionFields;
  if (!canHappen(fields)) refuse('no year has such a day');
  return fields;
}

/** Six fields of which the first, the seconds, is 0; those of AWS begin with minutes and have a `?` or a year. */
function isWithoutSeconds(parts: readonly string[]): boolean {
  const [seconds = '', , day, , weekday, last = ''] = parts;
  if (parts.length !== 6 || !/^00?$/.test(seconds)) return false;
  return day !== '?' && weekday !== '?' && !/^\d{4}$/.test(last);
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
    const every =
      step === undefined ? 1 : numberOf(step, { min: 1, max: rule.max, names: [] }, refuse);
    let from = rule.min;
    let to = rule.names === DAYS ? 6 : rule.max;
    if (range !== '*') {
      from = valueOf(low, rule, refuse);
      to = high === undefined ? from : valueOf(high, rule, refuse, from);
      if (to < from) refuse(`a range must not run backwards${twoRanges(low, high!, rule, step)}`);
      if (high === undefined && step !== undefined) {
        refuse(`a step must follow "*" or a range; write "${low}-${rule.max}/${step}"`);
      }
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
  if (named === -1) {
    const hint = /^\d*$/.test(text) ? null : termHint(text, rule);
    return hint === null ? numberOf(text, rule, refuse) : refuse(hint);
  }
  const value = named + rule.min;
  return rule.names === DAYS && value === 0 && from !== undefined && from > 0 ? 7 : value;
}

function numberOf(
  text: string,
  { min, max, names }: Pick<FieldRule, 'min' | 'max' | 'names'>,
  refuse: (why: string) => never,
): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  return refuse(
    `${JSON.stringify(text)} must be a number from ${min} to ${max}${orNames(text, names)}`,
  );
}

function orNames(text: string, names: readonly string[]): string {
  return names.length > 0 && /^\p{L}/u.test(text) ? ` or one of ${names.join(', ')}` : '';
}

/** The two ranges that a range over the end of a field means, such as 22-5. */
function twoRanges(
  low: string,
  high: string,
  { names, min, max }: FieldRule,
  step?: string,
): string {
  if (step !== undefined) return '';
  const isNamed = names.includes(low.toLowerCase()) && names.includes(high.toLowerCase());
  const last = isNamed ? names.at(-1) : names === DAYS ? 6 : max;
  return `; write "${low}-${last},${isNamed ? names[0] : min}-${high}"`;
}

/** Whether some month has some of the days; a free choice by day of week always happens. */
function canHappen([, , dayOfMonth, month, dayOfWeek]: ExpressionFields): boolean {
  if (!dayOfMonth.isStar && !dayOfWeek.isStar) return true;
  return month.values.some((one) => dayOfMonth.values[0]! <= DAYS_OF_MONTH[one - 1]!);
}
