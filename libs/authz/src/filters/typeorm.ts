import { columnsOf, type ListFilter } from '../cel/filter/list-filter.js';
import { sqlTextOf, type SqlValue } from '../cel/filter/sql-text.js';

/** A filter for `andWhere` of a query builder of TypeORM. */
export interface TypeormFilter {
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** `Raw` of TypeORM. */
export type RawOperator<Found> = (
  text: (column: string) => string,
  parameters: Record<string, unknown>,
) => Found;

/** The names of parameters, which must not be those of the rest of the query. */
const PREFIX = 'apixAuthz';

/**
 * The filter for a query builder of TypeORM on PostgreSQL: `query.andWhere(text, parameters)`. Throws if a field has no
 * column.
 *
 * @param columns the property of each field that the filter tests, by its path, with the alias of the query:
 * `{ customer: 'order.customer' }`.
 */
export function typeormWhere(
  filter: ListFilter,
  columns: Readonly<Record<string, string>>,
): TypeormFilter {
  const columnOf = columnsOf(filter, columns, 'typeormWhere');
  return written(filter, columnOf);
}

/**
 * The filter as an operator for `where` of `find` of TypeORM on PostgreSQL, on any property of the entity:
 * `where: { state: 1, id: typeormFind(Raw, filter, columns) }`. Throws if a field has no column.
 *
 * @param columns the property of each field that the filter tests, by its path: `{ customer: 'customer' }`.
 */
export function typeormFind<Found>(
  raw: RawOperator<Found>,
  filter: ListFilter,
  columns: Readonly<Record<string, string>>,
): Found {
  const columnOf = columnsOf(filter, columns, 'typeormFind');
  const { parameters } = written(filter, columnOf);
  const text = (property: string): string => {
    const alias = property.slice(0, property.lastIndexOf('.') + 1);
    return written(filter, (path) => `${alias}${columnOf(path)}`).text;
  };
  return raw(text, { ...parameters });
}

function written({ where }: ListFilter, columnOf: (path: string) => string): TypeormFilter {
  const names = new Map<SqlValue, string>();
  const text = sqlTextOf(where)
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.kind === 'column') return columnOf(part.field.path);
      const name = names.get(part) ?? `${PREFIX}${names.size}`;
      names.set(part, name);
      return `CAST(:${name} AS ${part.type})`;
    })
    .join('');
  const parameters = [...names].map(([{ value }, name]) => [name, value] as const);
  return { text, parameters: Object.fromEntries(parameters) };
}
