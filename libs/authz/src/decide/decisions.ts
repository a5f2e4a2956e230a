import { type CallContext, Code, type StatusError } from '@apix/contracts';
import { verdictOf } from '../policy/compile-requirement.js';
import { failedTexts, findings } from '../policy/explain.js';
import type { Subject } from '../subject/subject.js';
import type { GivenRecord } from './admission.js';
import type { ResolvedAuthorizerOptions } from './authorizer-options.js';
import { decideRecord } from './decide-record.js';
import type { Denial, DenyReason, Ledger } from './decision.js';
import { noFilterDenial } from './list-call.js';
import { refusalError } from './refusal-error.js';
import {
  permissionDenied,
  type ProtectedStanding,
  type Refusal,
  type Standing,
} from './rulebook.js';

/** Decides about subjects by the policies of methods; each decision is counted and reported once. */
export class Decisions {
  readonly #options: ResolvedAuthorizerOptions;
  readonly #ledger: Ledger;

  constructor(options: ResolvedAuthorizerOptions, ledger: Ledger) {
    this.#options = options;
    this.#ledger = ledger;
  }

  /** Null: allowed. The decision is counted and reported; a call that is allowed by its rules makes no object. */
  decide(
    standing: Standing,
    method: string,
    subject: Subject | null | undefined,
    call: CallContext | undefined,
    record: GivenRecord | undefined,
  ): StatusError | null {
    const { lists } = standing;
    const denial =
      this.denialBy(standing, subject ?? null, record) ??
      (lists === undefined ? null : noFilterDenial(lists));
    return this.settle(standing, denial, method, subject, call);
  }

  /** Null: allowed. */
  denialBy(
    standing: Standing,
    subject: Subject | null,
    record: GivenRecord | undefined,
  ): Denial | null {
    const { conditions } = standing;
    const denial = this.denialByRules(standing, subject);
    if (denial !== null || conditions === undefined || subject === null) return denial;
    return decideRecord(conditions, this.#options, subject, record);
  }

  /** Null: allowed, if its conditions are met. */
  denialByRules(standing: Standing, subject: Subject | null): Denial | null {
    if (standing.kind === 'open') return null;
    if (standing.kind === 'closed') return denialOf(standing.refusal);
    if (subject === null) return denialOf(ANONYMOUS, standing);
    const failed = verdictOf(standing.evaluate, subject);
    if (failed === undefined) return null;
    if (this.#options.exposeReasons)
      return denialOf(explained(failed, standing, subject), standing);
    // Not read from an object by its key: V8 looks up a key that varies in its megamorphic cache.
    return denialOf(failed === 'roles' ? ROLES : PERMISSIONS, standing);
  }

  /** Counts and reports a decision. The caller's error; null: allowed. */
  settle(
    standing: Standing,
    denial: Denial | null,
    method: string,
    subject: Subject | null | undefined,
    call: CallContext | undefined,
  ): StatusError | null {
    if (denial !== null) return this.deny(denial, method, subject, call);
    const reason = standing.kind === 'open' ? standing.reason : 'passed';
    this.#ledger.allowed(reason, method, subject, call);
    return null;
  }

  /** The caller's error; null in shadow mode, which denies no call. */
  deny(
    denial: Denial,
    method: string,
    subject: Subject | null | undefined,
    call: CallContext | undefined,
  ): StatusError | null {
    this.#ledger.denied(denial, method, subject, call);
    return this.#options.mode === 'enforce' ? denial.error : null;
  }
}

/** The caller did not say who it is. HTTP 401. */
const ANONYMOUS: Refusal = {
  reason: 'anonymous',
  code: Code.UNAUTHENTICATED,
  message: 'credentials are missing',
};
const ROLES = permissionDenied('roles', 'permission denied');
const PERMISSIONS = permissionDenied('permissions', 'permission denied');

function denialOf(refusal: Refusal, standing?: ProtectedStanding): Denial {
  const { requirement } = standing?.policy ?? {};
  return { reason: refusal.reason, error: refusalError(refusal), requirement };
}

function explained(failed: DenyReason, { policy }: ProtectedStanding, subject: Subject): Refusal {
  const why = failedTexts(findings(policy.requirement!, subject)).join('; ');
  return permissionDenied(failed, `permission denied: ${why}`);
}
