import type { DescMessage } from '@bufbuild/protobuf';
import { matchesFilter, type RecordFilter } from './record-filter.js';

/** Which records of a type the caller of a list may see. */
export interface ListFilter {
  /** The type of the records. */
  readonly desc: DescMessage;
  /** Paths of all fields that the method's condition may test, for whatever caller: a table needs a column for each. */
  readonly fields: ReadonlySet<string>;
  /**
   * What must be true of a record, after all that is known of the caller is computed. `{ kind: 'everything' }` and
   * `{ kind: 'nothing' }` are the constants.
   */
  readonly where: RecordFilter;
}

/** Whether a list may show the record, a message of the filter's type: as its SQL decides. */
export function mayList({ where }: ListFilter, record: unknown): boolean {
  return matchesFilter(where, record);
}

/**
 * The column of each field of a filter. It looks at all fields that the condition may test, so that one without a
 * column is found by the first call of whatever caller.
 *
 * @param where the adapter, for errors.
 * @throws Error that names each field without a column, and each that the type does not have.
 */
export function columnsOf<T>(
  { desc, fields }: ListFilter,
  columns: Readonly<Record<string, T>>,
  where: string,
): (path: string) => T {
  const missing = [...fields].filter((path) => !Object.hasOwn(columns, path));
  if (missing.length > 0) {
    throw new Error(
      `authz: no column for the field ${listed(missing)} of a list filter; add it to columns of ${where}`,
    );
  }
  const unknown = Object.keys(columns).filter((path) => !hasField(desc, path.split('.')));
  if (unknown.length > 0) {
    throw new Error(
      `authz: ${desc.typeName} has no field ${listed(unknown)}; correct columns of ${where}`,
    );
  }
  return (path) => columns[path] as T;
}

function listed(paths: readonly string[]): string {
  return paths.map((path) => `"${path}"`).join(', ');
}

function hasField(desc: DescMessage, [name, ...rest]: readonly string[]): boolean {
  const field = desc.fields.find((each) => each.name === name);
  if (field === undefined || rest.length === 0) return field !== undefined;
  return field.message !== undefined && hasField(field.message, rest);
}
