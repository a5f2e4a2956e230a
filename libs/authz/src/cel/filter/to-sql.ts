import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { CelUint } from '../values/cel-value.js';
import { formatTimestamp, nanosOf, timestampOfNanos } from '../values/time.js';
import { CelError } from '../cel-error.js';
import { valueKind } from './field-comparison.js';
import {
  holdsFor,
  type FieldTest,
  type FilterOperator,
  type RecordFilter,
} from './record-filter.js';

/** A filter as a condition of PostgreSQL. */
export interface SqlFilter {
  /** Goes after WHERE, or into it with AND: it is in parentheses. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/** How a filter becomes SQL. */
export interface SqlFilterOptions {
  /**
   * The column of each field that the filter tests, by its path: `{ 'address.city': 'o.city' }`. NULL is a field that
   * is not set. A timestamp is a `timestamptz`, an enum its number, a list an array.
   */
  readonly columns: Readonly<Record<string, string>>;
  /** The number of the first parameter. Default: 1 */
  readonly firstParameter?: number;
}

/** The filter as text and parameters of PostgreSQL; throws if a field has no column. */
export function toSql(filter: RecordFilter, options: SqlFilterOptions): SqlFilter {
  const writer = new SqlWriter(options);
  const text = writer.write(filter, false);
  return { text: `(${text})`, values: writer.values };
}

const NEGATED: Readonly<Record<FilterOperator, FilterOperator>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/** PostgreSQL takes NaN for the greatest number, and for equal to itself. */
const TRUE_FOR_NAN: ReadonlySet<FilterOperator> = new Set(['>', '>=', '!=']);

/**
 * Negations go down to the tests of fields, so that each of them says for NULL what the condition says for a field that
 * is not set, and an error is false in either case. A plain comparison stays one, which an index can serve.
 */
class SqlWriter {
  readonly values: unknown[] = [];
  private readonly first: number;

  constructor(private readonly options: SqlFilterOptions) {
    this.first = options.firstParameter ?? 1;
  }

  write(filter: RecordFilter, negate: boolean): string {
    switch (filter.kind) {
      case 'always':
      case 'never':
        return (filter.kind === 'always') === negate ? 'FALSE' : 'TRUE';
      case 'error':
        return 'FALSE';
      case 'not':
        return this.write(filter.part, !negate);
      case 'choice': {
        const yes = `${this.write(filter.test, false)} AND ${this.write(filter.yes, negate)}`;
        const no = `${this.write(filter.test, true)} AND ${this.write(filter.no, negate)}`;
        return `((${yes}) OR (${no}))`;
      }
      case 'and':
      case 'or': {
        const word = (filter.kind === 'and') === negate ? ' OR ' : ' AND ';
        return `(${filter.parts.map((part) => this.write(part, negate)).join(word)})`;
      }
      case 'isSet':
        return this.presence(filter.field.type.kind === 'list', this.column(filter), negate);
      case 'includes': {
        if (!isText(filter.value)) return negate ? 'TRUE' : 'FALSE';
        const found = `${this.parameter(filter.value)} = ANY(${this.column(filter)})`;
        return negate ? `NOT coalesce(${found}, FALSE)` : found;
      }
      case 'compare':
      case 'in':
      case 'contains':
      case 'startsWith':
      case 'endsWith': {
        const test = this.test(filter, this.column(filter), negate);
        const unset = holdsFor(filter, filter.field.unset);
        const holds = unset !== undefined && unset !== negate;
        return holds ? `(${test} OR ${this.column(filter)} IS NULL)` : test;
      }
    }
  }

  private presence(list: boolean, column: string, negate: boolean): string {
    if (list) return `coalesce(cardinality(${column}), 0) ${negate ? '=' : '>'} 0`;
    return `${column} IS ${negate ? '' : 'NOT '}NULL`;
  }

  /** What is true or false for a value and NULL or false for NULL. */
  private test(
    test: Exclude<FieldTest, { readonly kind: 'isSet' | 'includes' }>,
    column: string,
    negate: boolean,
  ): string {
    switch (test.kind) {
      case 'compare':
        return this.compare(test, column, negate);
      case 'in': {
        const usable = test.values.flatMap((value) => this.equalTo(test, value));
        if (usable.length === 0) return negate ? `${column} IS NOT NULL` : 'FALSE';
        const list = usable.join(', ');
        return `${column} ${negate ? 'NOT IN' : 'IN'} (${list})`;
      }
      case 'contains':
      case 'startsWith':
      case 'endsWith': {
        if (!isText(test.value)) return negate ? `${column} IS NOT NULL` : 'FALSE';
        const parameter = this.parameter(test.value);
        const found = {
          contains: `strpos(${column}, ${parameter}) > 0`,
          startsWith: `starts_with(${column}, ${parameter})`,
          endsWith: `right(${column}, length(${parameter})) = ${parameter}`,
        }[test.kind];
        return negate ? `NOT (${found})` : found;
      }
    }
  }

  private equalTo(test: FieldTest, value: unknown): readonly string[] {
    if (!isText(value) || Number.isNaN(value)) return [];
    if (valueKind(test.field) !== 'timestamp') return [this.parameter(value)];
    const { exact, at } = wholeMicros(value as Timestamp);
    return exact ? [this.parameter(at)] : [];
  }

  private compare(
    test: Extract<FieldTest, { readonly kind: 'compare' }>,
    column: string,
    negate: boolean,
  ): string {
    const { value } = test;
    const operator = negate ? NEGATED[test.operator] : test.operator;
    if (value === null) return `${column} IS ${operator === '==' ? '' : 'NOT '}NULL`;
    if (typeof value === 'number') return this.double(test, column, negate);
    if (typeof value === 'string') return this.string(column, operator, value);
    if (valueKind(test.field) === 'timestamp')
      return this.timestamp(column, operator, value as Timestamp);
    return `${column} ${sql(operator)} ${this.parameter(value)}`;
  }

  private double(
    test: Extract<FieldTest, { readonly kind: 'compare' }>,
    column: string,
    negate: boolean,
  ): string {
    if (Number.isNaN(test.value)) {
      // Nothing equals NaN or has an order with it.
      return (test.operator === '!=') === negate ? 'FALSE' : `${column} IS NOT NULL`;
    }
    const operator = negate ? NEGATED[test.operator] : test.operator;
    const isDouble = valueKind(test.field) === 'double';
    const text = `${isDouble ? column : `${column}::float8`} ${sql(operator)} ${this.parameter(test.value)}`;
    const wanted = (test.operator === '!=') !== negate;
    if (!isDouble || TRUE_FOR_NAN.has(operator) === wanted) return text;
    return wanted ? `(${text} OR ${column} = 'NaN')` : `(${text} AND ${column} <> 'NaN')`;
  }

  private string(column: string, operator: FilterOperator, value: string): string {
    const order = operator === '==' || operator === '!=' ? '' : ' COLLATE "C"';
    if (isText(value)) return `${column}${order} ${sql(operator)} ${this.parameter(value)}`;
    if (order === '') return operator === '==' ? 'FALSE' : `${column} IS NOT NULL`;
    const end = value.indexOf('\0');
    // Half a character has no place in the order of a database.
    if (end < 0 || !isText(value.slice(0, end))) return 'FALSE';
    // No text of a column has a NUL: what is below one is at most what comes before it.
    const cut = operator === '<' || operator === '<=' ? '<=' : '>';
    return `${column}${order} ${cut} ${this.parameter(value.slice(0, end))}`;
  }

  /** A column holds microseconds: a time between two of them equals none. */
  private timestamp(column: string, operator: FilterOperator, value: Timestamp): string {
    const { exact, at } = wholeMicros(value);
    if (exact) return `${column} ${sql(operator)} ${this.parameter(at)}`;
    if (operator === '==') return 'FALSE';
    if (operator === '!=') return `${column} IS NOT NULL`;
    const cut = operator === '<' || operator === '<=' ? '<=' : '>';
    return `${column} ${cut} ${this.parameter(at)}`;
  }

  private parameter(value: unknown): string {
    const [raw, type] = parameterOf(value);
    this.values.push(raw);
    return `$${this.first + this.values.length - 1}::${type}`;
  }

  private column({ field }: FieldTest): string {
    const { columns } = this.options;
    const column = Object.hasOwn(columns, field.path) ? columns[field.path] : undefined;
    if (column === undefined) {
      throw new Error(
        `authz: no column for the field "${field.path}" of a list filter; add it to columns of toSql`,
      );
    }
    return column
      .split('.')
      .map((part) => `"${part.replaceAll('"', '""')}"`)
      .join('.');
  }
}

function sql(operator: FilterOperator): string {
  if (operator === '==') return '=';
  return operator === '!=' ? '<>' : operator;
}

/** Whether PostgreSQL can hold it, if it is a text: no NUL and no half of a character. */
function isText(value: unknown): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed());
}

function wholeMicros(time: Timestamp): { readonly exact: boolean; readonly at: Timestamp } {
  const nanos = nanosOf(time);
  const rest = ((nanos % 1000n) + 1000n) % 1000n;
  const at = timestampOfNanos(nanos - rest);
  return { exact: rest === 0n, at: at instanceof CelError ? time : at };
}

function parameterOf(value: unknown): readonly [raw: unknown, type: string] {
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
