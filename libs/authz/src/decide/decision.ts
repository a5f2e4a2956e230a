import {
  type CallContext,
  type CallDoor,
  type StatusError,
  type MetricReading,
} from '@apix/contracts';
import { isPromiseLike } from '@apix/contracts/internal';
import type { Requirement } from '../policy/requirement.js';
import type { Subject } from '../subject/subject.js';

/** Why a call was allowed. */
export type AllowReason = 'public' | 'exempt' | 'unannotated' | 'passed';

/** Why a call was denied. */
export type DenyReason =
  | 'unknown_method'
  | 'unknown_door'
  | 'unannotated'
  | 'anonymous'
  | 'subject_error'
  | 'roles'
  | 'permissions'
  /** A condition is false. */
  | 'condition'
  /** A condition could not be evaluated, or its record not be loaded. */
  | 'condition_error'
  /** The entry point has no request that conditions could read. */
  | 'no_request'
  /** The record that the request names does not exist. */
  | 'no_resource'
  /** The handler of a list has not asked for its filter, or the entry point has none that could. */
  | 'no_filter'
  /** A mask in the request names a field that the caller does not see, or answers cannot hide one here. */
  | 'hidden_field';

interface Decided {
  readonly method: string;
  readonly door: CallDoor;
  /** Undefined where no subject was asked for. */
  readonly subject: Subject | null | undefined;
}

/** The decision about one call. */
export type Decision = Decided &
  (
    | { readonly allowed: true; readonly reason: AllowReason }
    | {
        readonly allowed: false;
        readonly reason: DenyReason;
        /** The error that the caller gets. */
        readonly error: StatusError;
        /** The id of the condition, if one has denied the call; `error.cause` says more. */
        readonly condition?: string | undefined;
        /** The hidden field that the request names, such as `shop.v1.Order.phone`. */
        readonly field?: string | undefined;
        /** What the policy requires, if its rules have denied the call or the caller is anonymous. */
        readonly requirement?: Requirement | undefined;
        /** True in shadow mode: the call went through all the same. */
        readonly shadow: boolean;
      }
  );

/** `call` is undefined for `authorize()` without a context. */
export type DecisionObserver = (decision: Decision, call: CallContext | undefined) => void;

/** Why a call is denied, and what its caller gets. */
export interface Denial {
  readonly reason: DenyReason;
  readonly error: StatusError;
  /** The id of the condition that denied it. */
  readonly condition?: string | undefined;
  /** The hidden field that the request names. */
  readonly field?: string | undefined;
  /** What its rules require that the caller does not have. */
  readonly requirement?: Requirement | undefined;
}

interface ConditionCount {
  readonly method: string;
  readonly condition: string;
  denied: number;
}

/** More methods have no count of their own. */
const MOST_COUNTED = 10_000;

/** What an observer is called for: each decision, or only those that deny a call, or would in shadow mode. */
export type FollowedDecisions = 'decisions' | 'denials';

/** Counts decisions and reports each to its observers. Allocates only where there is one. */
export class Ledger {
  readonly #shadow: boolean;
  readonly #observers: Record<FollowedDecisions, readonly DecisionObserver[]>;
  #allowed = 0;
  #denied = 0;
  #shadowed = 0;
  /** By method and condition: as many as the policies have. */
  readonly #byCondition = new Map<string, ConditionCount>();
  readonly #byMethod = new Map<string, { denied: number }>();

  constructor(mode: 'enforce' | 'shadow', observer: DecisionObserver | undefined) {
    this.#shadow = mode === 'shadow';
    this.#observers = { decisions: observer === undefined ? [] : [observer], denials: [] };
  }

  /** Calls that were denied, by method; in shadow mode those that would have been. */
  get denials(): ReadonlyMap<string, number> {
    return new Map([...this.#byMethod].map(([method, { denied }]) => [method, denied]));
  }

  /** Reports each decision, or denial, from now on; returns what ends that. */
  follow(observer: DecisionObserver, what: FollowedDecisions): () => void {
    const all = this.#observers;
    all[what] = [...all[what], observer];
    return () => {
      all[what] = all[what].filter((each) => each !== observer);
    };
  }

  allowed(
    reason: AllowReason,
    method: string,
    subject: Subject | null | undefined,
    call: CallContext | undefined,
  ): void {
    this.#allowed++;
    const { decisions } = this.#observers;
    if (decisions.length === 0) return;
    report({ allowed: true, reason, method, door: doorOf(call), subject }, call, decisions);
  }

  denied(
    denial: Denial,
    method: string,
    subject: Subject | null | undefined,
    call: CallContext | undefined,
  ): void {
    const shadow = this.#shadow;
    if (shadow) this.#shadowed++;
    else this.#denied++;
    this.#countMethod(denial.reason, method);
    if (denial.condition !== undefined) this.#count(method, denial.condition);
    const { decisions, denials } = this.#observers;
    if (decisions.length + denials.length === 0) return;
    const door = doorOf(call);
    const decision = { allowed: false, ...denial, method, door, subject, shadow } as const;
    report(decision, call, denials);
    report(decision, call, decisions);
  }

  #countMethod(reason: DenyReason, method: string): void {
    // Callers choose the names of methods that are not known.
    if (reason === 'unknown_method') return;
    const known = this.#byMethod.get(method);
    if (known !== undefined) known.denied++;
    else if (this.#byMethod.size < MOST_COUNTED) this.#byMethod.set(method, { denied: 1 });
  }

  #count(method: string, condition: string): void {
    const key = `${method} ${condition}`;
    const known = this.#byCondition.get(key);
    if (known === undefined) this.#byCondition.set(key, { method, condition, denied: 1 });
    else known.denied++;
  }

  *metrics(): Iterable<MetricReading> {
    const outcomes = { allowed: this.#allowed, denied: this.#denied, shadowed: this.#shadowed };
    for (const [outcome, value] of Object.entries(outcomes)) {
      yield {
        name: 'apix.authz.decisions',
        kind: 'counter',
        value,
        description: 'Authorization decisions',
        attributes: { outcome },
      };
    }
    for (const { method, condition, denied } of this.#byCondition.values()) {
      yield {
        name: 'apix.authz.condition_denials',
        kind: 'counter',
        value: denied,
        description: 'Calls that a condition has denied, also in shadow mode',
        attributes: { method, condition },
      };
    }
  }
}

function report(
  decision: Decision,
  call: CallContext | undefined,
  observers: readonly DecisionObserver[],
): void {
  for (const observer of observers) {
    try {
      const result: unknown = observer(decision, call);
      if (isPromiseLike(result)) Promise.resolve(result).catch(() => {});
    } catch {
      // An observer must not decide.
    }
  }
}

function doorOf(call: CallContext | undefined): Decision['door'] {
  try {
    return call?.door ?? 'direct';
  } catch {
    // A context of the app's own may have getters that throw.
    return 'direct';
  }
}
