import type { PolicyView, RuleView } from '@apix/contracts';

/** Lists that are set must all pass; an empty one is not set. */
export type Rule = RuleView;

/** What a method requires of its caller; without rules, any authenticated subject passes. */
export type Requirement = Exclude<PolicyView, { readonly kind: 'unannotated' }>;

/** A rule as an app writes it in TypeScript. */
export interface RuleInput {
  /** At least one of these. */
  readonly anyOf?: readonly string[];
  /** Every one of these. */
  readonly allOf?: readonly string[];
  /** None of these. */
  readonly noneOf?: readonly string[];
}

/** A requirement as an app writes it in TypeScript; `{}` is any authenticated subject. */
export interface RequirementInput {
  /** Checked against the subject's roles. */
  readonly roles?: RuleInput;
  /** Checked against the subject's permissions. */
  readonly permissions?: RuleInput;
}

/** A requirement of an app's own decorators in the form that all policies have. */
export function requirementOf(input: RequirementInput): Requirement {
  return {
    kind: 'protected',
    roles: input.roles && ruleOf(input.roles),
    permissions: input.permissions && ruleOf(input.permissions),
  };
}

function ruleOf({ anyOf = [], allOf = [], noneOf = [] }: RuleInput): Rule {
  return { anyOf, allOf, noneOf };
}
