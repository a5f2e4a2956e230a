import type { CallContext, StatusError } from '@apix/contracts';
import type { Subject } from '../subject/subject.js';
import type { GivenRecord } from './admission.js';
import type { ResolvedAuthorizerOptions } from './authorizer-options.js';
import { decideRecord } from './decide-record.js';
import type { AllowReason, Denial, Ledger } from './decision.js';
import { noFilterDenial } from './list-call.js';
import { refusalError } from './refusal-error.js';
import { type Refusal, type Standing, conditionsOf, listsOf, refusalOf } from './rulebook.js';

/** A call that was decided about. */
export interface DecidedCall {
  readonly method: string;
  readonly subject: Subject | null | undefined;
  readonly call: CallContext | undefined;
}

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
    const denial = this.denialBy(standing, subject ?? null, record) ?? this.listDenial(standing);
    return this.#settle(standing, denial, method, subject, call);
  }

  /** Null: allowed. */
  denialBy(
    standing: Standing,
    subject: Subject | null,
    record: GivenRecord | undefined,
  ): Denial | null {
    const refusal = this.refusalBy(standing, subject);
    if (refusal !== null) {
      const requirement = standing.kind === 'protected' ? standing.policy.requirement : undefined;
      return { reason: refusal.reason, error: refusalError(refusal), requirement };
    }
    const conditions = conditionsOf(standing);
    if (conditions === undefined || subject === null) return null;
    return decideRecord(conditions, this.#options, subject, record);
  }

  /** Null: it lists no records. */
  listDenial(standing: Standing): Denial | null {
    const lists = listsOf(standing);
    return lists === undefined ? null : noFilterDenial(lists);
  }

  refusalBy(standing: Standing, subject: Subject | null): Refusal | null {
    if (standing.kind === 'open') return null;
    if (standing.kind === 'closed') return standing.refusal;
    return refusalOf(standing, subject, this.#options.exposeReasons);
  }

  settle(standing: Standing, denial: Denial | null, decided: DecidedCall): StatusError | null {
    return this.#settle(standing, denial, decided.method, decided.subject, decided.call);
  }

  /** The caller's error; null in shadow mode, which denies no call. */
  deny(denial: Denial, { method, subject, call }: DecidedCall): StatusError | null {
    return this.#deny(denial, method, subject, call);
  }

  #settle(
    standing: Standing,
    denial: Denial | null,
    method: string,
    subject: Subject | null | undefined,
    call: CallContext | undefined,
  ): StatusError | null {
    if (denial !== null) return this.#deny(denial, method, subject, call);
    this.#ledger.allowed(reasonOf(standing), method, subject, call);
    return null;
  }

  #deny(
    denial: Denial,
    method: string,
    subject: Subject | null | undefined,
    call: CallContext | undefined,
  ): StatusError | null {
    this.#ledger.denied(denial, method, subject, call);
    return this.#options.mode === 'enforce' ? denial.error : null;
  }
}

/** A call whose caller is not known. */
export function ofUnknown(method: string, call: CallContext | undefined): DecidedCall {
  return { method, subject: undefined, call };
}

function reasonOf(standing: Standing): AllowReason {
  return standing.kind === 'open' ? standing.reason : 'passed';
}
