import {
  type CallContext,
  type CallDoor,
  type StatusError,
  type MetricReading,
  isPromiseLike,
} from '@apix/contracts';
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
  | 'permissions';

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
        /** True in shadow mode: the call went through all the same. */
        readonly shadow: boolean;
      }
  );

/** `call` is undefined for `authorize()` without a context. */
export type DecisionObserver = (decision: Decision, call: CallContext | undefined) => void;

/** Counts decisions and reports each to the observer. Allocates only where there is one. */
export class Ledger {
  readonly #shadow: boolean;
  readonly #observer: DecisionObserver | undefined;
  #allowed = 0;
  #denied = 0;
  #shadowed = 0;

  constructor(mode: 'enforce' | 'shadow', observer: DecisionObserver | undefined) {
    this.#shadow = mode === 'shadow';
    this.#observer = observer;
  }

  allowed(
    reason: AllowReason,
    method: string,
    subject: Subject | null | undefined,
    call: CallContext | undefined,
  ): void {
    this.#allowed++;
    if (this.#observer === undefined) return;
    this.#report({ allowed: true, reason, method, door: doorOf(call), subject }, call);
  }

  denied(
    reason: DenyReason,
    error: StatusError,
    method: string,
    subject: Subject | null | undefined,
    call: CallContext | undefined,
  ): void {
    const shadow = this.#shadow;
    if (shadow) this.#shadowed++;
    else this.#denied++;
    if (this.#observer === undefined) return;
    const door = doorOf(call);
    this.#report({ allowed: false, reason, method, door, subject, error, shadow }, call);
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
  }

  #report(decision: Decision, call: CallContext | undefined): void {
    try {
      const result: unknown = this.#observer?.(decision, call);
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
