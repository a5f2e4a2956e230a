import type { CallMethod, PolicyView } from '@apix/contracts';
import { type ProtoRegistry, callMethodOf } from '@apix/proto/core';
import type { DescMessage } from '@bufbuild/protobuf';
import type { ConditionMeaning } from '../conditions/method-conditions.js';
import type { ListsView } from '../conditions/method-lists.js';
import type { Exemptions } from '../policy/exemptions.js';
import type { MethodPolicy } from '../policy/policy-book.js';
import type { RecordTypes } from './admission.js';
import { type Standing, standingOf } from './rulebook.js';

/** What is known of the methods of the descriptors before any call. Methods are named as `/pkg.Service/Method`. */
export class KnownMethods {
  /** What needs no requirement under `unannotated: 'deny'`. */
  readonly exemptions: Exemptions;
  readonly #registry: ProtoRegistry | undefined;
  readonly #policies: ReadonlyMap<string, MethodPolicy>;
  readonly #unannotated: 'allow' | 'deny';
  readonly #standings = new Map<string, Standing>();

  /** @param registry undefined for an app without RPCs. */
  constructor(
    registry: ProtoRegistry | undefined,
    policies: ReadonlyMap<string, MethodPolicy>,
    exemptions: Exemptions,
    unannotated: 'allow' | 'deny',
  ) {
    this.exemptions = exemptions;
    this.#registry = registry;
    this.#policies = policies;
    this.#unannotated = unannotated;
    for (const name of policies.keys()) this.#standings.set(name, this.#standingOf(name));
  }

  /** Whether the descriptors have a method. */
  has(fullMethodName: string): boolean {
    return this.#policies.has(fullMethodName);
  }

  /** Every method of the descriptors. */
  names(): readonly string[] {
    return [...this.#policies.keys()];
  }

  /** Methods that no requirement covers. */
  unannotated(): string[] {
    return this.#namesWhere(({ requirement }) => requirement === undefined);
  }

  /** Methods whose conditions on records, or whose list, `recordRules: 'upstream'` leaves to the server behind. */
  leftToUpstream(): string[] {
    return this.#namesWhere(({ leavesRecords }) => leavesRecords === true);
  }

  /** A method as call stages want it. */
  callMethodOf(fullMethodName: string): CallMethod | undefined {
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

  /** What the conditions of a method mean; empty without conditions. */
  conditionsOf(fullMethodName: string): readonly ConditionMeaning[] {
    const conditions = this.#policies.get(fullMethodName)?.conditions;
    return conditions?.list.map((condition) => conditions.meaningOf(condition)) ?? [];
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

  /** The standing of a method by its canonical name; any other spelling is not known. */
  standing(fullMethodName: string): Standing {
    return this.#standings.get(fullMethodName) ?? this.#standingOf(fullMethodName);
  }

  #standingOf(fullMethodName: string): Standing {
    const exempt = this.exemptions.has(fullMethodName);
    const policy = this.#policies.get(fullMethodName);
    return standingOf(policy, fullMethodName, exempt, this.#unannotated);
  }

  #namesWhere(holds: (policy: MethodPolicy) => boolean): string[] {
    return [...this.#policies.values()].filter(holds).map(({ fullName }) => fullName);
  }
}
