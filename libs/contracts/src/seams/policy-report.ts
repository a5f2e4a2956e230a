import { markClass } from '../brand.js';
import type { MethodAccess } from './access-source.js';
import type { CallDoor } from './call-context.js';

/** Offered by authz; read by the host page and the gateway's OpenAPI document. */
export const POLICY_REPORT = Symbol.for('apix.PolicyReport');

/** A caller that somebody asks about. */
export interface SupposedCaller {
  /** Default: none. */
  readonly id?: string;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** A method, and who may call it. */
export interface ReportedMethod {
  /** As `/pkg.Service/Method`. */
  readonly method: string;
  /** In words, as `apix-authz report` has it. */
  readonly who: string;
}

/** A field of answers that not every caller sees. */
export interface ReportedField {
  /** Such as `shop.v1.Order.phone`. */
  readonly field: string;
  /** In words, as `apix-authz report` has it. */
  readonly who: string;
}

/** Whether a caller gets in, and why. */
export interface ReportedExplanation {
  /** In words, such as `denied, PERMISSION_DENIED`. */
  readonly verdict: string;
  readonly access: MethodAccess;
  /** What was looked at; `passes` is undefined for what only a request can decide. */
  readonly findings: readonly { readonly passes: boolean | undefined; readonly text: string }[];
}

/** A decision about a call. Do not trust its texts: callers can influence them. */
export interface ReportedDecision {
  readonly method: string;
  readonly door: CallDoor;
  readonly allowed: boolean;
  /** Such as `passed` or `roles`. */
  readonly reason: string;
  /** The id of the condition, or the name of the hidden field, that has denied it; null otherwise. */
  readonly matter: string | null;
  /** The id of the caller; null for one without, and where no caller was asked for. */
  readonly caller: string | null;
  /** Whether the call went through although it was denied. */
  readonly shadow: boolean;
}

/** What the policies of an app are, for its operators. */
export interface PolicyReport {
  readonly [POLICY_REPORT]?: true;
  /** Every method, in the order of the descriptors. */
  methods(): readonly ReportedMethod[];
  fields(): readonly ReportedField[];
  /**
   * A copy of an OpenAPI document in which each operation that a controller of the app serves says who may call it,
   * as `x-who-may-call`, in the words of {@link methods}. Other operations are as they were.
   */
  withWhoMayCall(document: object): object;
  /** The roles and permissions that policies name, each once, sorted. */
  named(): { readonly roles: readonly string[]; readonly permissions: readonly string[] };
  /**
   * What a caller may call by the policies, also in shadow mode. Counts and reports nothing.
   *
   * @param caller null: one who is not known.
   */
  accessFor(fullMethodName: string, caller: SupposedCaller | null): MethodAccess;
  /** Why a caller may call a method, or not; undefined for a method that is not known. */
  explain(fullMethodName: string, caller: SupposedCaller | null): ReportedExplanation | undefined;
  /** Calls that were denied since the process started, by method; in shadow mode those that would have been. */
  denials(): ReadonlyMap<string, number>;
  /**
   * Follows the decisions from now on. `take` is called inside of each and must not throw.
   *
   * @returns what ends it.
   */
  follow(take: (decision: ReportedDecision) => void): () => void;
}

/** Marks a provider of the app's policies in words. The same as a property `[POLICY_REPORT] = true`. */
export function PolicyReport(): ClassDecorator {
  return markClass(POLICY_REPORT);
}
