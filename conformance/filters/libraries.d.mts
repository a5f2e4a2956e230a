import type { openDatabase } from '../cel/filter-cases.js';
import type { ListFilter } from '../../libs/authz/src/cel/filter/list-filter.js';

/** The error of a library that cannot say what a filter means. */
export const INEXPRESSIBLE: RegExp;

export function openLibraries(
  database: ReturnType<typeof openDatabase>,
  /** Columns by the paths of their fields. */
  names: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, (filter: ListFilter) => Promise<readonly number[]>>>>;
