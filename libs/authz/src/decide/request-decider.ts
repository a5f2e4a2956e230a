import type { CallContext } from '@apix/contracts';
import { equals, type Message } from '@bufbuild/protobuf';
import {
  type CompiledCondition,
  type MethodConditions,
  resourceName,
} from '../conditions/method-conditions.js';
import { LoadFailure, loadResource } from '../conditions/resource-load.js';
import type { Subject } from '../subject/subject.js';
import type { BegunCall, HandlerAdmission } from './admission.js';
import { absenceDenial, noRequest, unmetDenial, foreignRequest } from './condition-denial.js';
import { type ConditionRules, decideConditions, isMessageOf } from './decide-record.js';
import type { Denial } from './decision.js';

/** Decides about the requests of one call, one after the other. Its methods never throw, and never reject. */
export class RequestDecider {
  readonly #conditions: MethodConditions;
  readonly #rules: ConditionRules;
  readonly #call: CallContext;
  readonly #subject: Subject;
  #isFirst = true;
  /** The name of the record that was loaded last. */
  #name: string | undefined;
  #resource: Message | undefined;

  constructor(
    conditions: MethodConditions,
    rules: ConditionRules,
    call: CallContext,
    subject: Subject,
  ) {
    this.#conditions = conditions;
    this.#rules = rules;
    this.#call = call;
    this.#subject = subject;
  }

  /** The record of the latest request; undefined if there is none, or no condition reads it. */
  get resource(): Message | undefined {
    return this.#resource;
  }

  /** Null: the conditions are met. At once, unless a record has to be loaded. */
  decide(request: unknown): Denial | null | Promise<Denial | null> {
    const due = this.#due();
    if (due.length === 0) return null;
    try {
      const { input, resource } = this.#conditions;
      if (!isMessageOf(input, request)) return this.#absent(due[0]!, foreignRequest());
      const bound = due.filter(({ readsResource }) => readsResource);
      const others = due.filter(({ readsResource }) => !readsResource);
      const denial = this.#decideBy(others, request);
      if (denial !== null || bound.length === 0) return denial;
      if (resource === undefined) return this.#absent(bound[0]!, foreignRequest());
      const name = resourceName(resource.path, input, request);
      return name === this.#name
        ? this.#decideBy(bound, request)
        : this.#load(bound, request, name);
    } catch (error) {
      return this.#failed(due[0]!, error);
    }
  }

  /** The same for a request that may turn out to be none. @returns what reads it again. */
  async decideRead(read: () => Message): Promise<() => Denial | null> {
    const [first] = this.#conditions.list;
    try {
      const request = read();
      const denial = await this.decide(request);
      return () => denial ?? this.#unlessSame(request, read);
    } catch (error) {
      const denial = this.#failed(first!, error);
      return () => denial;
    }
  }

  #unlessSame(request: Message, read: () => Message): Denial | null {
    const [first] = this.#conditions.list;
    try {
      if (equals(this.#conditions.input, request, read())) return null;
      throw new Error('authz: the request has changed while conditions were evaluated');
    } catch (error) {
      return this.#failed(first!, error);
    }
  }

  /** For a stream that ended without a request. */
  decideNone(): Denial | null {
    return this.#isFirst ? this.#absent(this.#conditions.list[0]!, noRequest()) : null;
  }

  #due(): readonly CompiledCondition[] {
    const { list } = this.#conditions;
    const due = this.#isFirst ? list : list.filter(({ firstOnly }) => !firstOnly);
    this.#isFirst = false;
    return due;
  }

  async #load(
    bound: readonly CompiledCondition[],
    request: Message,
    name: string,
  ): Promise<Denial | null> {
    const { clock, loaderTimeout: timeout } = this.#rules;
    const caller = { call: this.#call, subject: this.#subject };
    const limits = { clock, timeout };
    try {
      const loaded = await loadResource(this.#conditions.resource!, name, caller, limits);
      if (loaded instanceof LoadFailure) return this.#failed(bound[0]!, loaded.cause);
      this.#name = name;
      this.#resource = loaded ?? undefined;
      return this.#decideBy(bound, request);
    } catch (error) {
      return this.#failed(bound[0]!, error);
    }
  }

  #decideBy(some: readonly CompiledCondition[], request: Message): Denial | null {
    const record = { subject: this.#subject, request, resource: this.#resource };
    return decideConditions(this.#conditions, some, record, this.#rules);
  }

  #absent(condition: CompiledCondition, absence: ReturnType<typeof noRequest>): Denial {
    return absenceDenial(this.#conditions, condition, absence, this.#rules.exposeReasons);
  }

  #failed(condition: CompiledCondition, error: unknown): Denial {
    const failure = error ?? new Error('authz: undefined was thrown');
    const { exposeReasons } = this.#rules;
    return unmetDenial(this.#conditions, { condition, failure }, exposeReasons);
  }
}

/**
 * A call that was begun.
 *
 * @param settle counts and reports a decision, and returns the error for the caller, or null.
 */
export function begunCall(
  decider: RequestDecider,
  subject: Subject,
  settle: (denial: Denial | null) => Error | null,
): BegunCall {
  let isAllowed = false;
  const end = (denial: Denial | null): void => {
    // That a call is allowed is one decision, however many requests it has.
    if (denial === null && isAllowed) return;
    isAllowed ||= denial === null;
    const error = settle(denial);
    if (error !== null) throw error;
  };
  return {
    subject,
    get resource() {
      return decider.resource;
    },
    onMessage: (request) => {
      const denial = decider.decide(request);
      return denial instanceof Promise ? denial.then(end) : end(denial);
    },
    onNoMessage: () => end(decider.decideNone()),
  };
}

/** A caller of a handler with conditions; each of its requests is decided about by its own. */
export function handlerAdmission(
  begin: () => RequestDecider,
  subject: Subject,
  settle: (denial: Denial | null) => Error | null,
): HandlerAdmission {
  return {
    subject,
    decideOnce: async (read) => {
      const decider = begin();
      const lastLook = await decider.decideRead(read);
      return () => {
        const error = settle(lastLook());
        if (error !== null) throw error;
        return decider.resource;
      };
    },
  };
}
