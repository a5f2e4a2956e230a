import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { CelError } from '../cel-error.js';
import { CelUint } from '../values/cel-value.js';
import { formatTimestamp, nanosOf, timestampOfNanos } from '../values/time.js';
import { valueKind } from './field-comparison.js';
import {
  type FieldTest,
  type FilterOperator,
  holdsFor,
  NEGATED,
  type RecordField,
  type RecordFilter,
} from './record-filter.js';

/** The column of a field. */
export interface SqlColumn {
  readonly kind: 'column';
  readonly field: RecordField;
}

/** A parameter. */
export interface SqlValue {
  readonly kind: 'value';
  /** As drivers of PostgreSQL take it: numbers that are not safe, and timestamps, are texts. */
  readonly value: boolean | string | Buffer;
  /** What it is cast to, so that its type does not depend on a driver. */
  readonly type: string;
}

/** Text of PostgreSQL with columns and parameters in it, for any way to write them. */
export type SqlText = readonly (string | SqlColumn | SqlValue)[];

/** A filter as a condition of PostgreSQL, in parentheses. */
export function sqlTextOf(filter: RecordFilter): SqlText {
  return sql`(${write(filter, false)})`;
}

type SqlPart = string | SqlColumn | SqlValue | SqlText;

function sql(texts: TemplateStringsArray, ...parts: readonly SqlPart[]): SqlText {
  return texts.flatMap((text, at) => {
    const part = parts[at] ?? [];
    return [text, ...(isText(part) ? part : [part])].filter((each) => each !== '');
  });
}

function isText(part: SqlPart): part is SqlText {
  return Array.isArray(part);
}

function list(texts: readonly SqlPart[], between: string): SqlText {
  return texts.flatMap((text, at) => sql`${at === 0 ? '' : between}${text}`);
}

/** PostgreSQL takes NaN for the greatest number, and for equal to itself. */
const TRUE_FOR_NAN: ReadonlySet<FilterOperator> = new Set(['>', '>=', '!=']);

/**
 * Negations go down to the tests of fields, so that each of them says for NULL what the condition says for a field that
 * is not set, and an error is false in either case. A plain comparison stays one, which an index can serve.
 */
function write(filter: RecordFilter, negate: boolean): SqlText {
  switch (filter.kind) {
    case 'everything':
    case 'nothing':
      return sql`${(filter.kind === 'everything') === negate ? 'FALSE' : 'TRUE'}`;
    case 'error':
      return sql`FALSE`;
    case 'not':
      return write(filter.part, !negate);
    case 'choice': {
      const yes = sql`${write(filter.test, false)} AND ${write(filter.yes, negate)}`;
      const no = sql`${write(filter.test, true)} AND ${write(filter.no, negate)}`;
      return sql`((${yes}) OR (${no}))`;
    }
    case 'and':
    case 'or': {
      const word = (filter.kind === 'and') === negate ? ' OR ' : ' AND ';
      const parts = filter.parts.map((part) => write(part, negate));
      return sql`(${list(parts, word)})`;
    }
    case 'isSet':
      return presence(filter.field.type.kind === 'list', columnOf(filter), negate);
    case 'includes': {
      if (!isStorable(filter.value)) return sql`${negate ? 'TRUE' : 'FALSE'}`;
      const found = sql`${valueOf(filter.value)} = ANY(${columnOf(filter)})`;
      return negate ? sql`NOT coalesce(${found}, FALSE)` : found;
    }
    case 'compare':
    case 'in':
    case 'contains':
    case 'startsWith':
    case 'endsWith': {
      const column = columnOf(filter);
      const test = writeTest(filter, column, negate);
      const unset = holdsFor(filter, filter.field.unset);
      const holds = unset !== undefined && unset !== negate;
      return holds ? sql`(${test} OR ${column} IS NULL)` : test;
    }
  }
}

function presence(isList: boolean, column: SqlColumn, negate: boolean): SqlText {
  if (isList) return sql`coalesce(cardinality(${column}), 0) ${negate ? '=' : '>'} 0`;
  return sql`${column} IS ${negate ? '' : 'NOT '}NULL`;
}

/** What is true or false for a value and NULL or false for NULL. */
function writeTest(
  test: Exclude<FieldTest, { readonly kind: 'isSet' | 'includes' }>,
  column: SqlColumn,
  negate: boolean,
): SqlText {
  switch (test.kind) {
    case 'compare':
      return compare(test, column, negate);
    case 'in': {
      const usable = test.values.flatMap((value) => equalTo(test, value));
      if (usable.length === 0) return negate ? sql`${column} IS NOT NULL` : sql`FALSE`;
      return sql`${column} ${negate ? 'NOT IN' : 'IN'} (${list(usable, ', ')})`;
    }
    case 'contains':
    case 'startsWith':
    case 'endsWith': {
      if (!isStorable(test.value)) return negate ? sql`${column} IS NOT NULL` : sql`FALSE`;
      const value = valueOf(test.value);
      const found = {
        contains: sql`strpos(${column}, ${value}) > 0`,
        startsWith: sql`starts_with(${column}, ${value})`,
        endsWith: sql`right(${column}, length(${value})) = ${value}`,
      }[test.kind];
      return negate ? sql`NOT (${found})` : found;
    }
  }
}

function equalTo(test: FieldTest, value: unknown): readonly SqlValue[] {
  if (!isStorable(value) || Number.isNaN(value)) return [];
  if (valueKind(test.field) !== 'timestamp') return [valueOf(value)];
  const { exact, at } = wholeMicros(value as Timestamp);
  return exact ? [valueOf(at)] : [];
}

function compare(
  test: Extract<FieldTest, { readonly kind: 'compare' }>,
  column: SqlColumn,
  negate: boolean,
): SqlText {
  const { value } = test;
  const operator = negate ? NEGATED[test.operator] : test.operator;
  if (value === null) return sql`${column} IS ${operator === '==' ? '' : 'NOT '}NULL`;
  if (typeof value === 'number') return double(test, column, negate);
  if (typeof value === 'string') return text(column, operator, value);
  if (valueKind(test.field) === 'timestamp') return timestamp(column, operator, value as Timestamp);
  return sql`${column} ${sign(operator)} ${valueOf(value)}`;
}

function double(
  test: Extract<FieldTest, { readonly kind: 'compare' }>,
  column: SqlColumn,
  negate: boolean,
): SqlText {
  if (Number.isNaN(test.value)) {
    // Nothing equals NaN or has an order with it.
    return (test.operator === '!=') === negate ? sql`FALSE` : sql`${column} IS NOT NULL`;
  }
  const operator = negate ? NEGATED[test.operator] : test.operator;
  const isDouble = valueKind(test.field) === 'double';
  const number = isDouble ? column : sql`CAST(${column} AS float8)`;
  const found = sql`${number} ${sign(operator)} ${valueOf(test.value)}`;
  const wanted = (test.operator === '!=') !== negate;
  if (!isDouble || TRUE_FOR_NAN.has(operator) === wanted) return found;
  return wanted ? sql`(${found} OR ${column} = 'NaN')` : sql`(${found} AND ${column} <> 'NaN')`;
}

function text(column: SqlColumn, operator: FilterOperator, value: string): SqlText {
  const order = operator === '==' || operator === '!=' ? '' : ' COLLATE "C"';
  if (isStorable(value)) return sql`${column}${order} ${sign(operator)} ${valueOf(value)}`;
  if (order === '') return operator === '==' ? sql`FALSE` : sql`${column} IS NOT NULL`;
  const end = value.indexOf('\0');
  // Half a character has no place in the order of a database.
  if (end < 0 || !isStorable(value.slice(0, end))) return sql`FALSE`;
  // No text of a column has a NUL: what is below one is at most what comes before it.
  const cut = operator === '<' || operator === '<=' ? '<=' : '>';
  return sql`${column}${order} ${cut} ${valueOf(value.slice(0, end))}`;
}

/** A column holds microseconds: a time between two of them equals none. */
function timestamp(column: SqlColumn, operator: FilterOperator, value: Timestamp): SqlText {
  const { exact, at } = wholeMicros(value);
  if (exact) return sql`${column} ${sign(operator)} ${valueOf(at)}`;
  if (operator === '==') return sql`FALSE`;
  if (operator === '!=') return sql`${column} IS NOT NULL`;
  return sql`${column} ${operator === '<' || operator === '<=' ? '<=' : '>'} ${valueOf(at)}`;
}

function columnOf({ field }: FieldTest): SqlColumn {
  return { kind: 'column', field };
}

function sign(operator: FilterOperator): string {
  if (operator === '==') return '=';
  return operator === '!=' ? '<>' : operator;
}

/** Whether PostgreSQL can hold it, if it is a text: no NUL and no half of a character. */
export function isStorable(value: unknown): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed());
}

function wholeMicros(time: Timestamp): { readonly exact: boolean; readonly at: Timestamp } {
  const nanos = nanosOf(time);
  const rest = ((nanos % 1000n) + 1000n) % 1000n;
  const at = timestampOfNanos(nanos - rest);
  return { exact: rest === 0n, at: at instanceof CelError ? time : at };
}

function valueOf(known: unknown): SqlValue {
  const [value, type] = rawOf(known);
  return { kind: 'value', value, type };
}

function rawOf(value: unknown): readonly [value: SqlValue['value'], type: string] {
  if (typeof value === 'boolean') return [value, 'boolean'];
  if (typeof value === 'string') return [value, 'text'];
  if (typeof value === 'number') return [String(value), 'float8'];
  if (value instanceof Uint8Array) return [Buffer.from(value), 'bytea'];
  const whole = value instanceof CelUint ? value.value : value;
  if (typeof whole === 'bigint') {
    return [String(whole), BigInt.asIntN(64, whole) === whole ? 'bigint' : 'numeric'];
  }
  return [formatTimestamp(value as Timestamp), 'timestamptz'];
}
