import { type CallContext, type StatusError, shownValue } from '@apix/contracts';
import { noSubject, unauthenticated } from '../errors.js';
import { isSubject } from '../subject/resolve-subject.js';
import type { Subject } from '../subject/subject.js';
import type { GivenRecord } from './admission.js';
import { type Decisions, ofUnknown } from './decisions.js';
import type { Standing } from './rulebook.js';

/** A call whose subject and record the app gives, and vouches for. */
export interface GivenCall {
  readonly call: CallContext | undefined;
  /** As given: perhaps not a string. */
  readonly method: string;
  readonly subject: Subject | null;
  readonly record: GivenRecord | undefined;
}

/** Decides about what an app gives; what is not a name, a subject or a record is denied. Null: allowed. Throws nothing. */
export function decideGiven(
  standingOf: (method: string) => Standing,
  decisions: Decisions,
  { call, method, subject, record }: GivenCall,
): StatusError | null {
  try {
    const standing = standingOf(method);
    if (standing.kind !== 'protected' || subject === null || isSubject(subject)) {
      const denial =
        decisions.denialBy(standing, subject, record) ?? decisions.listDenial(standing);
      return decisions.settle(standing, denial, { method, subject, call });
    }
    const error = unauthenticated('credentials are missing', noSubject('authorize()'));
    return decisions.deny({ reason: 'subject_error', error }, ofUnknown(method, call));
  } catch (error) {
    // A name that is not a string, a subject whose getters throw: neither is allowed.
    const isNamed = typeof (method as unknown) === 'string';
    const reason = isNamed ? 'subject_error' : 'unknown_method';
    const name = isNamed ? method : shownValue(method);
    const refused = unauthenticated('credentials are missing', error);
    return decisions.deny({ reason, error: refused }, ofUnknown(name, call));
  }
}
