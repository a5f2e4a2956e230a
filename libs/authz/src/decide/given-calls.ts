import { type CallContext, type StatusError, shownValue } from '@apix/contracts';
import { noSubject, unauthenticated } from '../errors.js';
import { isSubject } from '../subject/checked-subject.js';
import type { Subject } from '../subject/subject.js';
import type { GivenRecord } from './admission.js';
import type { Decisions } from './decisions.js';
import type { KnownMethods } from './known-methods.js';

/** Decides about calls whose subject and record an app gives, and vouches for. */
export class GivenCalls {
  readonly #methods: KnownMethods;
  readonly #decisions: Decisions;

  constructor(methods: KnownMethods, decisions: Decisions) {
    this.#methods = methods;
    this.#decisions = decisions;
  }

  /**
   * What is not a name, a subject or a record is denied. Null: allowed. Throws nothing.
   *
   * @param method as given: perhaps not a string.
   */
  decide(
    call: CallContext | undefined,
    method: string,
    subject: Subject | null,
    record: GivenRecord | undefined,
  ): StatusError | null {
    const decisions = this.#decisions;
    try {
      const standing = this.#methods.standing(method);
      if (standing.kind !== 'protected' || subject === null || isSubject(subject)) {
        return decisions.decide(standing, method, subject, call, record);
      }
      const error = unauthenticated('credentials are missing', noSubject('authorize()'));
      return decisions.deny({ reason: 'subject_error', error }, method, undefined, call);
    } catch (error) {
      // A name that is not a string, a subject whose getters throw: neither is allowed.
      const isNamed = typeof (method as unknown) === 'string';
      const reason = isNamed ? 'subject_error' : 'unknown_method';
      const name = isNamed ? method : shownValue(method);
      const refused = unauthenticated('credentials are missing', error);
      return decisions.deny({ reason, error: refused }, name, undefined, call);
    }
  }
}
