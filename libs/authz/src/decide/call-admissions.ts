import type { CallContext, StatusError } from '@apix/contracts';
import { internalError } from '../errors.js';
import type { VisibleFields } from '../fields/visible-fields.js';
import { resolveSubject, subjectFailure } from '../subject/resolve-subject.js';
import type { Subject } from '../subject/subject.js';
import type { Admission, BegunCall, HandlerAdmission } from './admission.js';
import type { ResolvedAuthorizerOptions } from './authorizer-options.js';
import { fieldsOfCall } from './call-fields.js';
import type { Denial } from './decision.js';
import { type Decisions, ofUnknown } from './decisions.js';
import { unmaskedDenial } from './hidden-field.js';
import { ListCall, listingCall } from './list-call.js';
import { begunCall, handlerAdmission, RequestDecider } from './request-decider.js';
import { type Standing, conditionsOf, listsOf } from './rulebook.js';

/**
 * What is left to decide once the caller is known: nothing; conditions, filters and fields, by the hooks of a call; or
 * conditions, by the arguments of a handler.
 */
type LeftToDecide = 'nothing' | 'hooks' | 'arguments';

const UNASKED: Admission = { subject: undefined };

/** Lets calls in: finds out who calls, decides, and says what is left to decide about their messages. */
export class CallAdmissions {
  readonly #options: ResolvedAuthorizerOptions;
  readonly #decisions: Decisions;
  readonly #fields: VisibleFields;

  constructor(options: ResolvedAuthorizerOptions, decisions: Decisions, fields: VisibleFields) {
    this.#options = options;
    this.#decisions = decisions;
    this.#fields = fields;
  }

  enter(
    standing: Standing,
    call: CallContext,
    left: LeftToDecide,
  ): HandlerAdmission | Promise<HandlerAdmission> {
    if (standing.kind !== 'protected') {
      const admission = settled(
        this.#decisions.decide(standing, call.method.fullName, undefined, call, undefined),
        UNASKED,
      );
      return left === 'hooks' ? this.#withFields(admission, call) : admission;
    }
    let subject: Subject | null | Promise<Subject | null>;
    try {
      subject = resolveSubject(this.#options, call);
    } catch (error) {
      return this.#failed(subjectFailure(error), call);
    }
    if (subject instanceof Promise) return this.#admitLater(standing, call, subject, left);
    return this.#admitAs(standing, call, subject, left);
  }

  /** As `enter`, at an entry point that cannot hide fields: denies calls whose answers may have hidden ones. */
  enterUnmasked(standing: Standing, call: CallContext): Admission | Promise<Admission> {
    const admission = this.enter(standing, call, 'nothing');
    const method = call.method.fullName;
    const own = this.#fields.ofMethod(method);
    if (own?.hides !== true || this.#options.mode === 'shadow') return admission;
    const checked = (admitted: Admission): Admission => {
      const { subject } = admitted;
      if (!this.#fields.hidesFrom(own.output, subject ?? null)) return admitted;
      return settled(
        this.#decisions.deny(unmaskedDenial(method), { method, subject, call }),
        admitted,
      );
    };
    return admission instanceof Promise ? admission.then(checked) : checked(admission);
  }

  async #admitLater(
    standing: Standing,
    call: CallContext,
    answer: Promise<Subject | null>,
    left: LeftToDecide,
  ): Promise<HandlerAdmission> {
    let subject: Subject | null;
    try {
      subject = await answer;
    } catch (error) {
      return this.#failed(subjectFailure(error), call);
    }
    return this.#admitAs(standing, call, subject, left);
  }

  /** Decides about a subject of the app's function, whose getters may throw. */
  #admitAs(
    standing: Standing,
    call: CallContext,
    subject: Subject | null,
    left: LeftToDecide,
  ): HandlerAdmission {
    let error: StatusError | null;
    try {
      const conditions = left === 'nothing' ? undefined : conditionsOf(standing);
      const lists = left === 'hooks' ? listsOf(standing) : undefined;
      if ((conditions ?? lists) !== undefined && subject !== null) {
        const refusal = this.#decisions.refusalBy(standing, subject);
        if (refusal === null) {
          const decided = { method: call.method.fullName, subject, call };
          const settleCall = (denial: Denial | null) =>
            this.#decisions.settle(standing, denial, decided);
          const list = lists && new ListCall(lists, this.#options.clock, subject);
          const begin =
            conditions && (() => new RequestDecider(conditions, this.#options, call, subject));
          if (begin !== undefined && left === 'arguments') {
            return handlerAdmission(begin, subject, settleCall);
          }
          const decider = begin?.();
          if (decider === undefined) settleCall(null);
          const begun: BegunCall = decider ? begunCall(decider, subject, settleCall) : { subject };
          const listing = list === undefined ? begun : listingCall(begun, list, settleCall);
          return this.#withFields(listing, call);
        }
      }
      error = this.#decisions.decide(standing, call.method.fullName, subject, call, undefined);
      if (left === 'hooks' && error === null) return this.#withFields({ subject }, call);
    } catch (cause) {
      return this.#failed(internalError(cause), call);
    }
    return settled(error, { subject });
  }

  /** Adds what is to hide in the answers of a call, and the masks in its requests that are to check. */
  #withFields(begun: BegunCall, call: CallContext): BegunCall {
    if (this.#fields.all.length === 0 || this.#options.mode === 'shadow') return begun;
    const { exposeReasons } = this.#options;
    return fieldsOfCall(this.#fields, begun, call, {
      exposeReasons,
      deny: (denial) =>
        this.#decisions.deny(denial, {
          method: call.method.fullName,
          subject: begun.subject,
          call,
        }),
    });
  }

  #failed(error: StatusError, call: CallContext): Admission {
    const denial: Denial = { reason: 'subject_error', error };
    return settled(this.#decisions.deny(denial, ofUnknown(call.method.fullName, call)), UNASKED);
  }
}

/** Throws the error, if there is one. */
function settled(error: StatusError | null, admission: Admission): Admission {
  if (error === null) return admission;
  throw error;
}
