import {
  type CallContext,
  type CallMethod,
  METRIC_SOURCE,
  Mistakes,
  type MetricReading,
  type MetricSource,
  POLICY_SOURCE,
  type PolicySource,
  type PolicyView,
  type StatusError,
  shownValue,
} from '@apix/contracts';
import { readOptions } from '@apix/contracts/options';
import { type ProtoRegistry, callMethodOf } from '@apix/proto/core';
import { PolicyError, internalError, noSubject, unauthenticated } from '../errors.js';
import { type RuleFinding, findings } from '../policy/explain.js';
import { Exemptions } from '../policy/exemptions.js';
import { type MethodPolicy, readPolicies } from '../policy/policy-book.js';
import { isSubject, subjectFailure, resolveSubject } from '../subject/resolve-subject.js';
import type { Subject } from '../subject/subject.js';
import {
  AUTHORIZER_OPTIONS,
  type AuthorizerOptions,
  type ResolvedAuthorizerOptions,
} from './authorizer-options.js';
import { type AllowReason, type DenyReason, Ledger } from './decision.js';
import { type Refusal, type Standing, refusalOf, standingOf } from './rulebook.js';
import { refusalError } from './refusal-error.js';

/** That a call may pass, and for whom; undefined where no subject was asked for. */
export interface Admission {
  readonly subject: Subject | null | undefined;
}

/** What a method requires, and whether one subject meets it. */
export interface Explanation {
  readonly method: string;
  readonly allowed: boolean;
  readonly reason: AllowReason | DenyReason;
  readonly policy: PolicyView | undefined;
  /** Every list of the rules, passed or not; empty where no rule was looked at. */
  readonly findings: readonly RuleFinding[];
}

const UNASKED: Admission = { subject: undefined };

/** The one evaluator behind every entry point. */
export class Authorizer implements PolicySource, MetricSource {
  readonly [POLICY_SOURCE] = true as const;
  readonly [METRIC_SOURCE] = true as const;
  readonly #options: ResolvedAuthorizerOptions;
  readonly #policies: ReadonlyMap<string, MethodPolicy>;
  readonly #exemptions: Exemptions;
  readonly #standings = new Map<string, Standing>();
  readonly #registry: ProtoRegistry | undefined;
  readonly #ledger: Ledger;

  /**
   * Reads and compiles every policy of the descriptors.
   *
   * @param registry undefined for an app without RPCs; its handlers carry their policies.
   * @throws PolicyError that lists every mistake.
   */
  constructor(registry: ProtoRegistry | undefined, options: AuthorizerOptions) {
    const mistakes = new Mistakes();
    this.#registry = registry;
    this.#options = readOptions(AUTHORIZER_OPTIONS, options, '', mistakes);
    this.#policies = registry === undefined ? new Map() : readPolicies(registry, mistakes);
    const { exempt, unannotated, mode, onDecision } = this.#options;
    this.#ledger = new Ledger(mode, onDecision);
    this.#exemptions = new Exemptions(exempt, this.#policies.keys(), mistakes);
    mistakes.throwIfAny((found) => new PolicyError(found));
    for (const [name, policy] of this.#policies) {
      const standing = standingOf(policy, name, this.#exemptions.has(name), unannotated);
      this.#standings.set(name, standing);
    }
  }

  /** What happens to methods and handlers without a requirement. */
  get unannotated(): 'allow' | 'deny' {
    return this.#options.unannotated;
  }

  /** Whether decisions are enforced. */
  get mode(): 'enforce' | 'shadow' {
    return this.#options.mode;
  }

  /** Whether the descriptors know a method. */
  knows(fullMethodName: string): boolean {
    return this.#policies.has(fullMethodName);
  }

  /** A method of the descriptors, as call stages want it. */
  methodOf(fullMethodName: string): CallMethod | undefined {
    const desc = this.#registry?.method(fullMethodName);
    return desc && callMethodOf(desc);
  }

  /** Every method of the descriptors, by full name. */
  methodNames(): readonly string[] {
    return [...this.#policies.keys()];
  }

  /** Methods that no requirement covers, by full name. */
  unannotatedMethods(): string[] {
    return [...this.#policies.values()]
      .filter(({ requirement }) => requirement === undefined)
      .map(({ fullName }) => fullName);
  }

  /** Whether a method needs no requirement under `unannotated: 'deny'`. */
  isExempt(fullMethodName: string): boolean {
    return this.#exemptions.has(fullMethodName);
  }

  /** Whether `exempt` names a handler of a Nest app, as `Class.method`. */
  isExemptHandler(name: string): boolean {
    return this.#exemptions.hasHandler(name);
  }

  /** The entries of `exempt` that are for handlers. */
  get exemptHandlers(): readonly string[] {
    return this.#exemptions.handlers;
  }

  /**
   * Evaluates the policy of a method for a subject that the caller of this function vouches for:
   * for entry points that this package does not guard. Null: allowed, or shadow mode. Throws nothing; the
   * error's code is UNAUTHENTICATED (also for a `subject` that is not one) or PERMISSION_DENIED. It is
   * this call's own.
   */
  authorize(
    context: CallContext | undefined,
    fullMethodName: string,
    subject: Subject | null,
  ): StatusError | null {
    try {
      const standing = this.standing(fullMethodName);
      if (standing.kind !== 'protected' || subject === null || isSubject(subject)) {
        return this.#decide(standing, fullMethodName, subject, context);
      }
      const error = unauthenticated('credentials are missing', noSubject('authorize()'));
      return this.#deny('subject_error', error, fullMethodName, undefined, context);
    } catch (error) {
      // A name that is not a string, a subject whose getters throw: neither is allowed.
      const isNamed = typeof (fullMethodName as unknown) === 'string';
      const reason = isNamed ? 'subject_error' : 'unknown_method';
      const name = isNamed ? fullMethodName : shownValue(fullMethodName);
      const refused = unauthenticated('credentials are missing', error);
      return this.#deny(reason, refused, name, undefined, context);
    }
  }

  /**
   * Decides about a call: resolves its method's policy, the subject if one is needed, and evaluates.
   * Synchronous if the subject function is.
   *
   * @throws StatusError (or rejects with it) where the call is denied.
   */
  admit(call: CallContext): Admission | Promise<Admission> {
    return this.admitBy(this.standing(call.method.fullName), call);
  }

  /** As {@link admit}, with a policy that was found elsewhere, such as on a handler. */
  admitBy(standing: Standing, call: CallContext): Admission | Promise<Admission> {
    const { fullName } = call.method;
    if (standing.kind !== 'protected') {
      return settle(this.#decide(standing, fullName, undefined, call), UNASKED);
    }
    let subject: Subject | null | Promise<Subject | null>;
    try {
      subject = resolveSubject(this.#options, call);
    } catch (error) {
      return this.#failed(subjectFailure(error), call);
    }
    if (subject instanceof Promise) return this.#admitLater(standing, call, subject);
    return this.#admitAs(standing, call, subject);
  }

  async #admitLater(
    standing: Standing,
    call: CallContext,
    answer: Promise<Subject | null>,
  ): Promise<Admission> {
    let subject: Subject | null;
    try {
      subject = await answer;
    } catch (error) {
      return this.#failed(subjectFailure(error), call);
    }
    return this.#admitAs(standing, call, subject);
  }

  /** Decides about a subject of the app's function, whose getters may throw. */
  #admitAs(standing: Standing, call: CallContext, subject: Subject | null): Admission {
    let error: StatusError | null;
    try {
      error = this.#decide(standing, call.method.fullName, subject, call);
    } catch (cause) {
      return this.#failed(internalError(cause), call);
    }
    return settle(error, { subject });
  }

  /** The standing of a method by its canonical name; any other spelling is not known. */
  standing(fullMethodName: string): Standing {
    return (
      this.#standings.get(fullMethodName) ??
      standingOf(
        undefined,
        fullMethodName,
        this.#exemptions.has(fullMethodName),
        this.#options.unannotated,
      )
    );
  }

  policyOf(fullMethodName: string): PolicyView | undefined {
    const policy = this.#policies.get(fullMethodName);
    if (policy === undefined) return undefined;
    if (policy.requirement !== undefined) return policy.requirement;
    const allowed = this.standing(fullMethodName).kind === 'open';
    return { kind: 'unannotated', allowed };
  }

  /** Explains whether a subject meets the policy of a method, rule by rule. Counts and reports nothing. */
  explain(fullMethodName: string, subject: Subject | null): Explanation {
    const standing = this.standing(fullMethodName);
    const base = { method: fullMethodName, policy: this.policyOf(fullMethodName), findings: [] };
    if (standing.kind === 'open') return { ...base, allowed: true, reason: standing.reason };
    if (standing.kind === 'closed') {
      return { ...base, allowed: false, reason: standing.refusal.reason };
    }
    const refusal = refusalOf(standing.policy, subject, false);
    const { requirement } = standing.policy;
    return {
      ...base,
      allowed: refusal === null,
      reason: refusal?.reason ?? 'passed',
      findings: subject === null ? [] : findings(requirement!, subject),
    };
  }

  metrics(): Iterable<MetricReading> {
    return this.#ledger.metrics();
  }

  /** Null: allowed. The decision is counted and reported. */
  #decide(
    standing: Standing,
    method: string,
    subject: Subject | null | undefined,
    call: CallContext | undefined,
  ): StatusError | null {
    const refusal = this.#refusalBy(standing, subject ?? null);
    if (refusal !== null) {
      return this.#deny(refusal.reason, refusalError(refusal), method, subject, call);
    }
    this.#ledger.allowed(
      standing.kind === 'open' ? standing.reason : 'passed',
      method,
      subject,
      call,
    );
    return null;
  }

  #refusalBy(standing: Standing, subject: Subject | null): Refusal | null {
    if (standing.kind === 'open') return null;
    if (standing.kind === 'closed') return standing.refusal;
    return refusalOf(standing.policy, subject, this.#options.exposeReasons);
  }

  /** The caller's error; null in shadow mode, which denies no call. */
  #deny(
    reason: DenyReason,
    error: StatusError,
    method: string,
    subject: Subject | null | undefined,
    call: CallContext | undefined,
  ): StatusError | null {
    this.#ledger.denied(reason, error, method, subject, call);
    return this.#options.mode === 'enforce' ? error : null;
  }

  #failed(error: StatusError, call: CallContext): Admission {
    const { fullName } = call.method;
    return settle(this.#deny('subject_error', error, fullName, undefined, call), UNASKED);
  }
}

function settle(error: StatusError | null, admission: Admission): Admission {
  if (error === null) return admission;
  throw error;
}
