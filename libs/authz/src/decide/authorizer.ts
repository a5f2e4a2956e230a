import {
  type CallContext,
  METRIC_SOURCE,
  Mistakes,
  type MetricReading,
  type MetricSource,
  POLICY_SOURCE,
  type PolicySource,
  type PolicyView,
  type StatusDetail,
  type StatusError,
  shownValue,
  ACCESS_SOURCE,
  type AccessSource,
  type CallerAccess,
  type MethodAccess,
} from '@apix/contracts';
import { readOptions } from '@apix/contracts/internal';
import type { ProtoRegistry } from '@apix/proto/core';
import { createFileRegistry, type DescMessage } from '@bufbuild/protobuf';
import { readRecordTypes } from '../conditions/record-types.js';
import type { ListFilter } from '../cel/filter/list-filter.js';
import type { ConditionSetup } from '../conditions/compile-conditions.js';
import { PolicyError } from '../errors.js';
import { maskValues } from '../fields/mask-values.js';
import { readVisibilities } from '../fields/read-visibility.js';
import { VisibleFields } from '../fields/visible-fields.js';
import { Exemptions } from '../policy/exemptions.js';
import { type MethodPolicy, readPolicies } from '../policy/policy-book.js';
import type { Subject } from '../subject/subject.js';
import {
  AUTHORIZER_OPTIONS,
  type AuthorizerOptions,
  type ResolvedAuthorizerOptions,
} from './authorizer-options.js';
import type {
  Admission,
  BegunCall,
  Explanation,
  GivenRecord,
  HandlerAdmission,
} from './admission.js';
import { decideList } from './decide-list.js';
import { explainCall } from './explain-call.js';
import { type DecisionObserver, type FollowedDecisions, Ledger } from './decision.js';
import { unfilteredCall } from './list-call.js';
import { callerAccess, methodAccess } from './caller-access.js';
import { CallAdmissions } from './call-admissions.js';
import { GivenCalls } from './given-calls.js';
import { Decisions } from './decisions.js';
import { KnownMethods } from './known-methods.js';
import type { Standing } from './rulebook.js';

/** The one evaluator behind every entry point. */
export class Authorizer implements AccessSource, PolicySource, MetricSource {
  readonly [ACCESS_SOURCE] = true as const;
  readonly [POLICY_SOURCE] = true as const;
  readonly [METRIC_SOURCE] = true as const;
  readonly #options: ResolvedAuthorizerOptions;
  readonly #registry: ProtoRegistry | undefined;
  readonly #ledger: Ledger;
  readonly #decisions: Decisions;
  readonly #given: GivenCalls;
  readonly #admissions: CallAdmissions;
  readonly #recordTypes: ReadonlyMap<string, DescMessage>;
  /** What is known of the methods before any call. */
  readonly methods: KnownMethods;
  /** The fields that not every caller sees. */
  readonly fields: VisibleFields;

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
    const { exempt, unannotated, mode, onDecision, conditions: language, loaders } = this.#options;
    const setup = { language, loaders, leavesRecords: this.#options.recordRules === 'upstream' };
    const policies =
      registry === undefined
        ? new Map<string, MethodPolicy>()
        : readPolicies(registry, setup, mistakes);
    this.#ledger = new Ledger(mode, onDecision);
    this.#decisions = new Decisions(this.#options, this.#ledger);
    this.#recordTypes = readRecordTypes(this.#options.recordTypes, registry?.registry, mistakes);
    for (const type of Object.keys(loaders)) {
      const desc = registry?.registry.getMessage(type) ?? this.#recordTypes.get(type);
      if (desc === undefined) {
        mistakes.add('loaders', `the descriptors have no message ${shownValue(type)}`);
      }
    }
    const exemptions = new Exemptions(exempt, policies.keys(), mistakes);
    const names = new Set([...policies.values()].flatMap(({ nameOfRecord = [] }) => nameOfRecord));
    const fields = registry === undefined ? [] : readVisibilities(registry, setup, names, mistakes);
    mistakes.throwIfAny((found) => new PolicyError(found));
    this.fields = new VisibleFields(registry, fields, this.#options.clock);
    this.#admissions = new CallAdmissions(this.#options, this.#decisions, this.fields);
    this.methods = new KnownMethods(registry, policies, exemptions, unannotated);
    this.#given = new GivenCalls(this.methods, this.#decisions);
  }

  /** What happens to methods and handlers without a requirement. */
  get unannotated(): 'allow' | 'deny' {
    return this.#options.unannotated;
  }

  /** Whether decisions are enforced. */
  get mode(): 'enforce' | 'shadow' {
    return this.#options.mode;
  }

  /** What conditions are compiled with. */
  get conditionSetup(): ConditionSetup {
    const { conditions: language, loaders } = this.#options;
    const types = this.#registry?.registry ?? createFileRegistry();
    return { language, loaders, types, recordTypes: this.#recordTypes };
  }

  /** As {@link KnownMethods.leftToUpstream}. */
  leftToUpstream(): string[] {
    return this.methods.leftToUpstream();
  }

  /**
   * Evaluates the policy of a method for a subject that the caller of this function vouches for:
   * for entry points that this package does not guard. Null: allowed, or shadow mode. Throws nothing; the
   * error's code is UNAUTHENTICATED (also for a `subject` that is not one), PERMISSION_DENIED, or NOT_FOUND where
   * conditions hide what exists. It is this call's own. A method that lists records is denied: see {@link listFilter}.
   *
   * @param record what conditions read; nothing is loaded. Default: none; methods with conditions are denied.
   */
  authorize(
    context: CallContext | undefined,
    fullMethodName: string,
    subject: Subject | null,
    record?: GivenRecord,
  ): StatusError | null {
    return this.#given.decide(context, fullMethodName, subject, record);
  }

  /**
   * Evaluates the policy of a method that lists records, as {@link authorize}, and returns which ones the subject may
   * see; in shadow mode all of them.
   *
   * @param record what conditions read, and the filter. Default: none.
   * @throws StatusError if the subject may not call the method, or if that lists no records.
   */
  listFilter(
    context: CallContext | undefined,
    fullMethodName: string,
    subject: Subject | null,
    record?: GivenRecord,
  ): ListFilter {
    const listed = { method: fullMethodName, subject, call: context, record };
    return decideList(this.standing(fullMethodName), this.#decisions, this.#options, listed);
  }

  /**
   * Decides about a call: resolves its method's policy, the subject if one is needed, and evaluates.
   * Synchronous if the subject function is. A method with conditions is denied: see {@link begin}.
   *
   * @throws StatusError (or rejects with it) where the call is denied.
   */
  admit(call: CallContext): Admission | Promise<Admission> {
    return this.admitBy(this.standing(call.method.fullName), call);
  }

  /**
   * What the caller of a call may call now, for entry points that show callers no more than that. A method with
   * conditions that read the request or its record is `undecided`. Counts and reports nothing.
   *
   * @throws StatusError (or rejects with it) where the subject function fails; in shadow mode it is not asked.
   */
  accessOf(call: CallContext): CallerAccess | Promise<CallerAccess> {
    return callerAccess(this.#options, call, (name) => this.standing(name));
  }

  /** What a subject may call now by the policies, also in shadow mode. Counts and reports nothing. */
  accessFor(fullMethodName: string, subject: Subject | null): MethodAccess {
    return methodAccess(this.standing(fullMethodName), subject, this.#options.clock.now());
  }

  /** As {@link admit}, at an entry point that cannot hide fields: denies calls whose answers may have hidden ones. */
  admitUnmasked(call: CallContext): Admission | Promise<Admission> {
    return this.#admissions.enterUnmasked(this.standing(call.method.fullName), call);
  }

  /** As {@link admit}, with a policy that was found elsewhere, such as on a handler. */
  admitBy(standing: Standing, call: CallContext): Admission | Promise<Admission> {
    return this.#admissions.enter(standing, call, 'nothing');
  }

  /** As {@link admitBy}, for a handler that leaves its conditions to `decideOnce` of the result. */
  admitHandler(
    standing: Standing,
    call: CallContext,
  ): HandlerAdmission | Promise<HandlerAdmission> {
    // Those of an RPC read a request that a handler does not have.
    const isOwn = standing.conditions?.method === call.method.fullName;
    return this.#admissions.enter(standing, call, isOwn ? 'arguments' : 'nothing');
  }

  /**
   * Decides about the caller of a call, as {@link admit}, and leaves conditions to the hooks of its result: every
   * request must pass `onMessage`, if that is there, before the handler or anything else acts on it. A method that
   * lists records is denied: see {@link beginBy}.
   */
  begin(call: CallContext): BegunCall | Promise<BegunCall> {
    const standing = this.standing(call.method.fullName);
    const left = standing.lists === undefined ? 'hooks' : 'nothing';
    return this.#admissions.enter(standing, call, left);
  }

  /**
   * As {@link begin}, with a policy that was found before. The handler of a list must get `filter`, and each answer pass
   * `onSend`.
   */
  beginBy(standing: Standing, call: CallContext): BegunCall | Promise<BegunCall> {
    const begun = this.#admissions.enter(standing, call, 'hooks');
    const { lists } = standing;
    if (lists === undefined || this.#options.mode === 'enforce') return begun;
    return begun instanceof Promise
      ? begun.then((call) => unfilteredCall(call, lists))
      : unfilteredCall(begun, lists);
  }

  /**
   * A message as a caller sees it, for entry points that write answers themselves: itself, or a copy without the fields
   * that are hidden from the caller. Lists and plain objects may hold messages. In shadow mode nothing is hidden.
   *
   * @param subject null for an anonymous caller, who sees no field that has `(apix.authz.visible)`.
   * @param fullMethodName what conditions read as `method`. Default: ''.
   * @throws Error for a value that cannot be looked into, which must not be sent.
   */
  mask<T>(value: T, subject: Subject | null, fullMethodName = ''): T {
    if (this.fields.all.length === 0 || this.#options.mode === 'shadow') return value;
    return maskValues(this.fields, value, { subject, method: fullMethodName }) as T;
  }

  /** The details of a status for a caller that is not known. */
  detailsForAnyone(details: readonly StatusDetail[], method: string): readonly StatusDetail[] {
    return this.#options.mode === 'shadow'
      ? details
      : this.fields.shownDetails(details, { subject: null, method });
  }

  /** The standing of a method by its canonical name; any other spelling is not known. */
  standing(fullMethodName: string): Standing {
    return this.methods.standing(fullMethodName);
  }

  policyOf(fullMethodName: string): PolicyView | undefined {
    return this.methods.policyOf(fullMethodName);
  }

  /**
   * Explains whether a subject meets the policy of a method, rule by rule, and condition by condition if there is a
   * record. Counts and reports nothing.
   */
  explain(fullMethodName: string, subject: Subject | null, record?: GivenRecord): Explanation {
    const policy = this.policyOf(fullMethodName);
    const asked = { method: fullMethodName, policy, subject, record };
    return explainCall(this.standing(fullMethodName), this.#decisions, this.#options.clock, asked);
  }

  /** Calls that were denied, by method; in shadow mode those that would have been. */
  get denials(): ReadonlyMap<string, number> {
    return this.#ledger.denials;
  }

  /**
   * Reports each decision from now on, besides `onDecision`; returns what ends that.
   *
   * @param what 'denials' leaves out calls that are allowed. Default: 'decisions'.
   */
  follow(observer: DecisionObserver, what: FollowedDecisions = 'decisions'): () => void {
    return this.#ledger.follow(observer, what);
  }

  visibilityOf(fieldName: string): PolicyView | undefined {
    return this.fields.requirementOf(fieldName);
  }

  metrics(): Iterable<MetricReading> {
    return this.#ledger.metrics();
  }
}
