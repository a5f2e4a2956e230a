import {
  type CallContext,
  type MetricReading,
  type StatusError,
  isPromiseLike,
} from '@apix/contracts';
import type { Subject } from '../subject/subject.js';
import type { DecisionObserver } from './authorizer-options.js';
import type { AllowReason, Decision, DenyReason } from './decision.js';

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
    this.#tell({ allowed: true, reason, method, door: doorOf(call), subject }, call);
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
    this.#tell({ allowed: false, reason, method, door, subject, error, shadow }, call);
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

  #tell(decision: Decision, call: CallContext | undefined): void {
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
