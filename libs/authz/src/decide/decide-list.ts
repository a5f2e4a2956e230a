import type { CallContext } from '@apix/contracts';
import type { ListFilter } from '../cel/filter/list-filter.js';
import { constantFilter } from '../conditions/method-lists.js';
import { internalError, noSubject } from '../errors.js';
import { isSubject } from '../subject/checked-subject.js';
import type { Subject } from '../subject/subject.js';
import type { GivenRecord } from './admission.js';
import type { ResolvedAuthorizerOptions } from './authorizer-options.js';
import type { Denial } from './decision.js';
import type { Decisions } from './decisions.js';
import { givenFilter } from './list-call.js';
import type { Standing } from './rulebook.js';

/** A call of a method that lists records. */
export interface ListedCall {
  readonly method: string;
  readonly subject: Subject | null;
  readonly call: CallContext | undefined;
  readonly record: GivenRecord | undefined;
}

/**
 * Which records the caller may see; in shadow mode all of them.
 *
 * @throws StatusError if the subject may not call the method, or if that lists no records.
 */
export function decideList(
  standing: Standing,
  decisions: Decisions,
  { clock, mode }: Pick<ResolvedAuthorizerOptions, 'clock' | 'mode'>,
  { method, subject, call, record }: ListedCall,
): ListFilter {
  const { lists } = standing;
  let denial: Denial | null;
  let filter: ListFilter | undefined;
  try {
    if (lists === undefined) throw new Error(`authz: ${method} lists no records`);
    if (subject !== null && !isSubject(subject)) throw noSubject('listFilter()');
    denial = decisions.denialBy(standing, subject, record);
    if (denial === null && subject !== null) filter = givenFilter(lists, clock, subject, record);
  } catch (cause) {
    denial = { reason: 'no_filter', error: internalError(cause) };
  }
  const error = decisions.settle(standing, denial, method, subject, call);
  if (error !== null) throw error;
  if (lists === undefined) throw internalError(denial?.error.cause);
  return mode === 'shadow' || filter === undefined ? constantFilter(lists, 'everything') : filter;
}
