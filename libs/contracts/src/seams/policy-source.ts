import { markClass } from '../brand.js';

/** Offered by authz; read by the gateway's OpenAPI document. */
export const POLICY_SOURCE = Symbol.for('apix.PolicySource');

/** All set lists must pass. */
export interface RuleView {
  readonly anyOf: readonly string[];
  readonly allOf: readonly string[];
  readonly noneOf: readonly string[];
}

/** An expression over the call that must be true. */
export interface ConditionView {
  /** Unique within the policy. */
  readonly id: string;
  /** In CEL. */
  readonly expression: string;
  /** Why a call is refused, for its caller. Undefined: not stated. */
  readonly message?: string | undefined;
}

/** What a method requires of its callers. */
export type PolicyView =
  | { readonly kind: 'public' }
  | { readonly kind: 'unannotated'; readonly allowed: boolean }
  | {
      readonly kind: 'protected';
      readonly roles?: RuleView | undefined;
      readonly permissions?: RuleView | undefined;
      /** All must be true. Undefined: there are none. */
      readonly conditions?: readonly ConditionView[] | undefined;
    };

export interface PolicySource {
  readonly [POLICY_SOURCE]?: true;
  /** The policy of a method, by full name; undefined for one that is not known. */
  policyOf(fullMethodName: string): PolicyView | undefined;
  /**
   * Who sees a field of answers, by its full name, such as `shop.v1.Order.phone`. Undefined: every caller that gets the
   * message. Default: every field is shown.
   */
  visibilityOf?(fieldName: string): PolicyView | undefined;
}

/** Marks a provider that knows what a method requires of its callers. The same as a property `[POLICY_SOURCE] = true`. */
export function PolicySource(): ClassDecorator {
  return markClass(POLICY_SOURCE);
}
