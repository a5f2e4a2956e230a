import type { PGlite } from '@electric-sql/pglite';
import type { ListFilter } from '../../libs/authz/src/cel/filter/list-filter.js';

export function openLibraries(
  database: PGlite,
  /** Columns by the paths of their fields. */
  names: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, (filter: ListFilter) => Promise<readonly number[]>>>>;
