import { Mistakes, type PolicyView, type RuleView } from '@apix/contracts';
import {
  arrayOf,
  type FilledOption,
  type OptionTable,
  readOptions,
  section,
  STRING,
  withDefault,
} from '@apix/contracts/internal';
import { PolicyError } from '../errors.js';

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

const VALUES: FilledOption<readonly string[]> = withDefault(
  arrayOf(STRING, 'an array of strings'),
  [],
);

const RULE = section({
  anyOf: VALUES,
  allOf: VALUES,
  noneOf: VALUES,
} satisfies OptionTable<RuleInput>);

/** The options of a requirement. */
export const REQUIREMENT = {
  roles: RULE,
  permissions: RULE,
} satisfies OptionTable<RequirementInput>;

/**
 * A requirement of an app's own decorators in the form that all policies have.
 *
 * @throws PolicyError that lists every mistake: a rule under a misspelt name would let everyone in.
 */
export function requirementOf(input: RequirementInput): Requirement {
  const mistakes = new Mistakes();
  const requirement = readRequirementInput(input, '', mistakes);
  mistakes.throwIfAny((found) => new PolicyError(found));
  return requirement;
}

/** The same, with mistakes recorded under `at`. */
export function readRequirementInput(
  input: RequirementInput,
  at: string,
  mistakes: Mistakes,
): Requirement {
  const { roles, permissions } = readOptions(REQUIREMENT, input, at, mistakes);
  return { kind: 'protected', roles, permissions };
}

/** The mistakes in a requirement: rules without effect, or rules that no caller can pass. */
export function requirementMistakes(requirement: Requirement): string[] {
  if (requirement.kind === 'public') return [];
  return [
    ...ruleMistakes('roles', requirement.roles),
    ...ruleMistakes('permissions', requirement.permissions),
  ];
}

/** A rule as it is written in a .proto file. */
export function ruleOf({ anyOf, allOf, noneOf }: RuleView): Rule {
  return { anyOf, allOf, noneOf };
}

function ruleMistakes(what: string, rule: Rule | undefined): string[] {
  if (rule === undefined) return [];
  const mistakes: string[] = [];
  const none = new Set(rule.noneOf);
  for (const [name, list] of Object.entries(rule)) {
    if (list.includes(''))
      mistakes.push(`${what}.${snake(name)} contains an empty string; remove it`);
  }
  const impossible = rule.allOf.filter((value) => none.has(value));
  for (const value of new Set(impossible)) {
    mistakes.push(`${what} can never pass: "${value}" is in all_of and in none_of`);
  }
  if (rule.anyOf.length > 0 && rule.anyOf.every((value) => none.has(value))) {
    mistakes.push(`${what} can never pass: every value of any_of is in none_of`);
  }
  return mistakes;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`);
}
