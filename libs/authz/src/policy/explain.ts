import type { Subject } from '../subject/subject.js';
import type { Requirement, Rule } from './requirement.js';

/** One list of a rule, and whether the subject passes it. */
export interface RuleFinding {
  readonly on: 'roles' | 'permissions';
  readonly list: 'any_of' | 'all_of' | 'none_of';
  readonly values: readonly string[];
  readonly passed: boolean;
  /** `any_of`: what matched; `all_of`: what is missing; `none_of`: what should not be there. */
  readonly matter: readonly string[];
}

/** Every list of a requirement, passed or not, in the order in which they are evaluated. */
export function findings(requirement: Requirement, subject: Subject): RuleFinding[] {
  if (requirement.kind === 'public') return [];
  return [
    ...ruleFindings('roles', requirement.roles, subject.roles),
    ...ruleFindings('permissions', requirement.permissions, subject.permissions),
  ];
}

function ruleFindings(
  on: RuleFinding['on'],
  rule: Rule | undefined,
  held: readonly string[],
): RuleFinding[] {
  if (rule === undefined) return [];
  const { anyOf, allOf, noneOf } = rule;
  const shared = anyOf.filter((value) => held.includes(value));
  const missing = allOf.filter((value) => !held.includes(value));
  const unwanted = noneOf.filter((value) => held.includes(value));
  const all: RuleFinding[] = [
    { on, list: 'any_of', values: anyOf, passed: shared.length > 0, matter: shared },
    { on, list: 'all_of', values: allOf, passed: missing.length === 0, matter: missing },
    { on, list: 'none_of', values: noneOf, passed: unwanted.length === 0, matter: unwanted },
  ];
  return all.filter(({ values }) => values.length > 0);
}

/** A finding in words, such as `roles: none of any_of "admin", "staff"`. */
export function describeFinding({ on, list, values, passed, matter }: RuleFinding): string {
  const quoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');
  if (passed) return `${on}: ${list} ${quoted(values)} passes`;
  switch (list) {
    case 'any_of':
      return `${on}: has none of ${quoted(values)}`;
    case 'all_of':
      return `${on}: lacks ${quoted(matter)}`;
    case 'none_of':
      return `${on}: has ${quoted(matter)}, which is not allowed`;
  }
}

/** What a caller does not pass, in words. */
export function failedTexts(all: readonly RuleFinding[]): string[] {
  return all.filter(({ passed }) => !passed).map(describeFinding);
}
