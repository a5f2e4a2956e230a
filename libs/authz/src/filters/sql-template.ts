import { columnsOf, type ListFilter } from '../cel/filter/list-filter.js';
import { sqlTextOf } from '../cel/filter/sql-text.js';

/** The tag of a library for SQL, such as `sql` of Drizzle and of Kysely, or `Prisma.sql`. */
export type SqlTag<S> = (texts: TemplateStringsArray, ...parts: never[]) => S;

/**
 * The filter as a template of PostgreSQL, made by the tag of the library that sends the query; throws if a field has no
 * column. Values become parameters of that library.
 *
 * @param columns the column of each field that the filter tests, by its path, as the tag takes it: `orders.customer` of a
 * table of Drizzle, `eb.ref('customer')` or `sql.ref('o.customer')` of Kysely, `Prisma.raw('"customer"')`.
 */
export function toSqlTemplate<S>(
  tag: SqlTag<S>,
  filter: ListFilter,
  columns: Readonly<Record<string, unknown>>,
): S {
  const columnOf = columnsOf(filter, columns, 'toSqlTemplate');
  const texts = [''];
  const parts: unknown[] = [];
  for (const part of sqlTextOf(filter.where)) {
    if (typeof part === 'string') texts.push(`${texts.pop() ?? ''}${part}`);
    else if (part.kind === 'column') {
      parts.push(columnOf(part.field.path));
      texts.push('');
    } else {
      parts.push(part.value);
      texts.push(`::${part.type}`);
    }
  }
  return tag(Object.assign(texts, { raw: texts }), ...(parts as never[]));
}
