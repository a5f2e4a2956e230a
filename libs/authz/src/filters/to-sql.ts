import { columnsOf, type ListFilter } from '../cel/filter/list-filter.js';
import { sqlTextOf, type SqlValue } from '../cel/filter/sql-text.js';

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
   * is not set. A timestamp is a `timestamptz`, an enum its number, a list an array. Required.
   */
  readonly columns: Readonly<Record<string, string>>;
  /** The number of the first parameter. Default: 1. */
  readonly firstParameter?: number;
}

/** The filter as text and parameters of PostgreSQL; throws if a field has no column. */
export function toSql(
  filter: ListFilter,
  { columns, firstParameter = 1 }: SqlFilterOptions,
): SqlFilter {
  const columnOf = columnsOf(filter, columns, 'toSql');
  const numbers = new Map<SqlValue, number>();
  const numberOf = (value: SqlValue): number => {
    const number = numbers.get(value) ?? firstParameter + numbers.size;
    numbers.set(value, number);
    return number;
  };
  const text = sqlTextOf(filter.where)
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.kind === 'value') return `$${numberOf(part)}::${part.type}`;
      return quoted(columnOf(part.field.path));
    })
    .join('');
  return { text, values: [...numbers.keys()].map(({ value }) => value) };
}

/** `o.customer` as `"o"."customer"`. */
function quoted(column: string): string {
  return column
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}
