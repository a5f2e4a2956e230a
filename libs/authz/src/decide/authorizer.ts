import {
  ACCESS_SOURCE,
  type AccessSource,
  type CallContext,
  type CallerAccess,
  type CallMethod,
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
} from '@apix/contracts';
import { readOptions } from '@apix/contracts/internal';
import { type ProtoRegistry, callMethodOf } from '@apix/proto/core';
import { createFileRegistry, type DescMessage } from '@bufbuild/protobuf';
import type { ListFilter } from '../cel/filter/list-filter.js';
import type { ConditionSetup } from '../conditions/compile-conditions.js';
import type { ListsView } from '../conditions/method-lists.js';
import { PolicyError, noSubject, unauthenticated } from '../errors.js';
import { maskValues } from '../fields/mask-values.js';
import { readVisibilities } from '../fields/read-visibility.js';
import { VisibleFields } from '../fields/visible-fields.js';
import { Exemptions } from '../policy/exemptions.js';
import { type MethodPolicy, readPolicies } from '../policy/policy-book.js';
import { isSubject } from '../subject/resolve-subject.js';
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
  RecordTypes,
} from './admission.js';
import { decideList } from './decide-list.js';
import { explainCall } from './explain-call.js';
import { Ledger } from './decision.js';
import { unfilteredCall } from './list-call.js';
import { unmaskedDenial } from './hidden-field.js';
import { callerAccess } from './caller-access.js';
import { CallAdmissions, settled } from './call-admissions.js';
import { Decisions, ofUnknown } from './decisions.js';
import { type Standing, conditionsOf, listsOf, standingOf } from './rulebook.js';

/** The one evaluator behind every entry point. */
export class Authorizer implements AccessSource, PolicySource, MetricSource {
  readonly [ACCESS_SOURCE] = true as const;
  readonly [POLICY_SOURCE] = true as const;
  readonly [METRIC_SOURCE] = true as const;
  readonly #options: ResolvedAuthorizerOptions;
  readonly #policies: ReadonlyMap<string, MethodPolicy>;
  readonly #exemptions: Exemptions;
  readonly #standings = new Map<string, Standing>();
  readonly #registry: ProtoRegistry | undefined;
  readonly #ledger: Ledger;
  readonly #decisions: Decisions;
  readonly #admissions: CallAdmissions;
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
    this.#policies = registry === undefined ? new Map() : readPolicies(registry, setup, mistakes);
    this.#ledger = new Ledger(mode, onDecision);
    this.#decisions = new Decisions(this.#options, this.#ledger);
    for (const type of Object.keys(loaders)) {
      if (registry?.registry.getMessage(type) === undefined) {
        mistakes.add('loaders', `the descriptors have no message ${shownValue(type)}`);
      }
    }
    this.#exemptions = new Exemptions(exempt, this.#policies.keys(), mistakes);
    const names = new Set(
      [...this.#policies.values()].flatMap(({ nameOfRecord = [] }) => nameOfRecord),
    );
    const fields = registry === undefined ? [] : readVisibilities(registry, setup, names, mistakes);
    mistakes.throwIfAny((found) => new PolicyError(found));
    this.fields = new VisibleFields(registry, fields, this.#options.clock);
    this.#admissions = new CallAdmissions(this.#options, this.#decisions, this.fields);
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

  /** What conditions are compiled with. */
  get conditionSetup(): ConditionSetup {
    const { conditions: language, loaders } = this.#options;
    return { language, loaders, types: this.#registry?.registry ?? createFileRegistry() };
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

  /** The types of what the conditions of a method read; undefined for a method that is not known. */
  typesOf(fullMethodName: string): RecordTypes | undefined {
    const input = this.#registry?.method(fullMethodName)?.input;
    const resource = this.#policies.get(fullMethodName)?.conditions?.resource?.desc;
    const listed = this.#policies.get(fullMethodName)?.lists?.desc;
    return input && { input, resource, listed };
  }

  /** The type of a method's answers; undefined for a method that is not known. */
  outputOf(fullMethodName: string): DescMessage | undefined {
    return this.#registry?.method(fullMethodName)?.output;
  }

  /** Every method of the descriptors, by full name. */
  methodNames(): readonly string[] {
    return [...this.#policies.keys()];
  }

  /** Methods whose conditions on records, or whose list, `recordRules: 'upstream'` leaves to the server behind, by full name. */
  leftToUpstream(): string[] {
    return [...this.#policies.values()]
      .filter(({ leavesRecords }) => leavesRecords)
      .map(({ fullName }) => fullName);
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
    try {
      const standing = this.standing(fullMethodName);
      if (standing.kind !== 'protected' || subject === null || isSubject(subject)) {
        const denial =
          this.#decisions.denialBy(standing, subject, record) ??
          this.#decisions.listDenial(standing);
        return this.#decisions.settle(standing, denial, {
          method: fullMethodName,
          subject,
          call: context,
        });
      }
      const error = unauthenticated('credentials are missing', noSubject('authorize()'));
      return this.#decisions.deny(
        { reason: 'subject_error', error },
        ofUnknown(fullMethodName, context),
      );
    } catch (error) {
      // A name that is not a string, a subject whose getters throw: neither is allowed.
      const isNamed = typeof (fullMethodName as unknown) === 'string';
      const reason = isNamed ? 'subject_error' : 'unknown_method';
      const name = isNamed ? fullMethodName : shownValue(fullMethodName);
      const refused = unauthenticated('credentials are missing', error);
      return this.#decisions.deny({ reason, error: refused }, ofUnknown(name, context));
    }
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
    const decided = { method: fullMethodName, subject, call: context };
    return decideList(this.standing(fullMethodName), this.#decisions, this.#options, {
      ...decided,
      record,
    });
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

  /** As {@link admit}, at an entry point that cannot hide fields: denies calls whose answers may have hidden ones. */
  admitUnmasked(call: CallContext): Admission | Promise<Admission> {
    const admission = this.admit(call);
    const own = this.fields.ofMethod(call.method.fullName);
    if (own?.hides !== true || this.#options.mode === 'shadow') return admission;
    const checked = (admitted: Admission): Admission => {
      const { subject } = admitted;
      if (!this.fields.hidesFrom(own.output, subject ?? null)) return admitted;
      const method = call.method.fullName;
      return settled(
        this.#decisions.deny(unmaskedDenial(method), { method, subject, call }),
        admitted,
      );
    };
    return admission instanceof Promise ? admission.then(checked) : checked(admission);
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
    const isOwn = conditionsOf(standing)?.method === call.method.fullName;
    return this.#admissions.enter(standing, call, isOwn ? 'arguments' : 'nothing');
  }

  /**
   * Decides about the caller of a call, as {@link admit}, and leaves conditions to the hooks of its result: every
   * request must pass `onMessage`, if that is there, before the handler or anything else acts on it. A method that
   * lists records is denied: see {@link beginBy}.
   */
  begin(call: CallContext): BegunCall | Promise<BegunCall> {
    const standing = this.standing(call.method.fullName);
    return this.#admissions.enter(
      standing,
      call,
      listsOf(standing) === undefined ? 'hooks' : 'nothing',
    );
  }

  /**
   * As {@link begin}, with a policy that was found before. The handler of a list must get `filter`, and each answer pass
   * `onSend`.
   */
  beginBy(standing: Standing, call: CallContext): BegunCall | Promise<BegunCall> {
    const begun = this.#admissions.enter(standing, call, 'hooks');
    const lists = listsOf(standing);
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

  /** What a method lists; undefined: no records. */
  listsOf(fullMethodName: string): ListsView | undefined {
    return this.#policies.get(fullMethodName)?.lists?.view;
  }

  policyOf(fullMethodName: string): PolicyView | undefined {
    const policy = this.#policies.get(fullMethodName);
    if (policy === undefined) return undefined;
    if (policy.requirement !== undefined) return policy.requirement;
    const allowed = this.standing(fullMethodName).kind === 'open';
    return { kind: 'unannotated', allowed };
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

  visibilityOf(fieldName: string): PolicyView | undefined {
    return this.fields.requirementOf(fieldName);
  }

  metrics(): Iterable<MetricReading> {
    return this.#ledger.metrics();
  }
}
