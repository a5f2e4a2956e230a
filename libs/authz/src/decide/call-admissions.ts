import type { CallContext, StatusError } from '@apix/contracts';
import { internalError } from '../errors.js';
import type { FieldCaller, VisibleFields } from '../fields/visible-fields.js';
import { resolveSubject } from '../subject/checked-subject.js';
import type { Subject } from '../subject/subject.js';
import type { Admission, BegunCall, HandlerAdmission } from './admission.js';
import type { ResolvedAuthorizerOptions } from './authorizer-options.js';
import type { Denial } from './decision.js';
import type { Decisions } from './decisions.js';
import { checkingMasks, unmaskedDenial } from './hidden-field.js';
import { ListCall, listingCall } from './list-call.js';
import { begunCall, handlerAdmission, RequestDecider } from './request-decider.js';
import type { Standing } from './rulebook.js';

/**
 * What is left to decide once the caller is known: nothing; conditions, filters and fields, by the hooks of a call; or
 * conditions, by the arguments of a handler.
 */
type LeftToDecide = 'nothing' | 'hooks' | 'arguments';

/**
 * All that a begun call has, so that nothing is lost when one is made of another: a list whose demand to be filtered was
 * left out would show everything.
 */
type EachMember = { readonly [K in keyof BegunCall]-?: BegunCall[K] | undefined };

/** Lets calls in: finds out who calls, decides, and says what is left to decide about their messages. */
export class CallAdmissions {
  readonly #options: ResolvedAuthorizerOptions;
  readonly #decisions: Decisions;
  /** Undefined: nothing is hidden from callers. */
  readonly #fields: VisibleFields | undefined;

  constructor(options: ResolvedAuthorizerOptions, decisions: Decisions, fields: VisibleFields) {
    this.#options = options;
    this.#decisions = decisions;
    const isHiding = fields.all.length > 0 && options.mode === 'enforce';
    this.#fields = isHiding ? fields : undefined;
  }

  enter(
    standing: Standing,
    call: CallContext,
    left: LeftToDecide,
  ): HandlerAdmission | Promise<HandlerAdmission> {
    if (standing.kind !== 'protected') return this.#admitAs(standing, call, undefined, left);
    let subject: Subject | null | Promise<Subject | null>;
    try {
      subject = resolveSubject(this.#options, call);
    } catch (error) {
      return this.#failed(error as StatusError, call);
    }
    if (subject instanceof Promise) return this.#admitLater(standing, call, subject, left);
    return this.#admitAs(standing, call, subject, left);
  }

  /** As `enter`, at an entry point that cannot hide fields: denies calls whose answers may have hidden ones. */
  enterUnmasked(standing: Standing, call: CallContext): Admission | Promise<Admission> {
    const admission = this.enter(standing, call, 'nothing');
    const fields = this.#fields;
    const method = call.method.fullName;
    const own = fields?.ofMethod(method);
    if (fields === undefined || own?.hides !== true) return admission;
    const checked = (admitted: Admission): Admission => {
      const { subject } = admitted;
      if (!fields.hidesFrom(own.output, subject ?? null)) return admitted;
      const error = this.#decisions.deny(unmaskedDenial(method), method, subject, call);
      return settled(error, admitted);
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
      return this.#failed(error as StatusError, call);
    }
    return this.#admitAs(standing, call, subject, left);
  }

  /** Decides about a subject of the app's function, whose getters may throw. */
  #admitAs(
    standing: Standing,
    call: CallContext,
    subject: Subject | null | undefined,
    left: LeftToDecide,
  ): HandlerAdmission {
    const { fullName } = call.method;
    let error: StatusError | null;
    try {
      const conditions = left === 'nothing' ? undefined : standing.conditions;
      const lists = left === 'hooks' ? standing.lists : undefined;
      if (subject && (conditions ?? lists) !== undefined) {
        const refusal = this.#decisions.denialByRules(standing, subject);
        const settle = (denial: Denial | null) =>
          this.#decisions.settle(standing, denial, fullName, subject, call);
        if (refusal === null) {
          const list = lists && new ListCall(lists, this.#options.clock, subject);
          const begin =
            conditions && (() => new RequestDecider(conditions, this.#options, call, subject));
          if (begin !== undefined && left === 'arguments') {
            return handlerAdmission(begin, subject, settle);
          }
          const decider = begin?.();
          if (decider === undefined) settle(null);
          const begun: BegunCall = decider ? begunCall(decider, subject, settle) : { subject };
          const listing = list === undefined ? begun : listingCall(begun, list, settle);
          return this.#withFields(listing, call);
        }
        error = settle(refusal);
      } else error = this.#decisions.decide(standing, fullName, subject, call, undefined);
      if (left === 'hooks' && error === null) return this.#withFields({ subject }, call);
    } catch (cause) {
      return this.#failed(internalError(cause), call);
    }
    return settled(error, { subject });
  }

  /** Adds what is to hide in the answers of a call, and the masks in its requests that are to check. */
  #withFields(begun: BegunCall, call: CallContext): BegunCall {
    const fields = this.#fields;
    if (fields === undefined) return begun;
    const { fullName } = call.method;
    const caller: FieldCaller = { subject: begun.subject ?? null, method: fullName };
    const own = fields.ofMethod(fullName);
    const members: EachMember = {
      subject: begun.subject,
      get resource() {
        return begun.resource;
      },
      get filter() {
        return begun.filter;
      },
      onMessage:
        own?.places === undefined
          ? begun.onMessage
          : checkingMasks(fields, own, begun, {
              caller,
              exposeReasons: this.#options.exposeReasons,
              deny: (denial) => this.#decisions.deny(denial, fullName, begun.subject, call),
            }),
      onNoMessage: begun.onNoMessage,
      onSend: begun.onSend,
      onAnswer:
        own?.hides === true ? (message) => fields.shown(own.output, message, caller) : undefined,
      onDetails: (details) => fields.shownDetails(details, caller),
    };
    return members;
  }

  #failed(error: StatusError, call: CallContext): Admission {
    const denial: Denial = { reason: 'subject_error', error };
    const refused = this.#decisions.deny(denial, call.method.fullName, undefined, call);
    return settled(refused, { subject: undefined });
  }
}

/** Throws the error, if there is one. */
function settled(error: StatusError | null, admission: Admission): Admission {
  if (error === null) return admission;
  throw error;
}
