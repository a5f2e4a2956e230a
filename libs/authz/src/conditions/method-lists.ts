import type { DescMessage } from '@bufbuild/protobuf';
import type { CompiledFilter } from '../cel/filter/compile-filter.js';
import type { ListFilter } from '../cel/filter/list-filter.js';
import { type ConditionFacts, valuesOf } from './check-conditions.js';

/** What a method lists, as its option says it. */
export interface ListsView {
  /** The full name of the message of a record. */
  readonly type: string;
  /** The condition of records that are listed. */
  readonly where: string;
  /** The definitions that it uses, by name. */
  readonly definitions: Readonly<Record<string, string>>;
}

/** The records that a method lists, ready to make filters. */
export interface MethodLists {
  readonly method: string;
  readonly input: DescMessage;
  readonly desc: DescMessage;
  readonly view: ListsView;
  readonly compiled: CompiledFilter;
  readonly readsRequest: boolean;
  readonly readsNow: boolean;
}

/** The filter for a caller. Throws what getters of the subject throw. */
export function filterFor(lists: MethodLists, facts: Omit<ConditionFacts, 'resource'>): ListFilter {
  const { desc, compiled } = lists;
  const where = compiled.plan(valuesOf(lists, facts));
  return {
    desc,
    fields: compiled.fields,
    where: where.kind === 'error' ? { kind: 'nothing' } : where,
  };
}

/** A filter of a method that does not look at its caller. */
export function constantFilter(
  { desc, compiled }: MethodLists,
  kind: 'everything' | 'nothing',
): ListFilter {
  return { desc, fields: compiled.fields, where: { kind } };
}
