import type { Subject } from '../subject/subject.js';
import { verdictsOf } from '../subject/checked-subject.js';
import type { Requirement, Rule } from './requirement.js';

/** Which rule failed first; undefined when the subject passes. */
export type Verdict = 'roles' | 'permissions' | undefined;

/** A requirement ready to decide, without allocating anything. */
export type Evaluate = (subject: Subject) => Verdict;

/** A rule with its lists in the form in which they are looked up; null where one is not set. */
interface CompiledRule {
  readonly anyOf: ReadonlySet<string> | null;
  readonly allOf: readonly string[];
  readonly noneOf: ReadonlySet<string> | null;
}

const PASS: Evaluate = () => undefined;

/** Compiles a protected requirement; one without rules passes every subject. */
export function compileRequirement(requirement: Requirement): Evaluate {
  if (requirement.kind === 'public') return PASS;
  const roles = compileRule(requirement.roles);
  const permissions = compileRule(requirement.permissions);
  if (roles === null && permissions === null) return PASS;
  return (subject) => {
    if (roles !== null && !passes(roles, subject.roles)) return 'roles';
    if (permissions !== null && !passes(permissions, subject.permissions)) return 'permissions';
    return undefined;
  };
}

function compileRule(rule: Rule | undefined): CompiledRule | null {
  if (rule === undefined) return null;
  const allOf = [...new Set(rule.allOf)];
  const compiled = { anyOf: setOf(rule.anyOf), allOf, noneOf: setOf(rule.noneOf) };
  return compiled.anyOf === null && allOf.length === 0 && compiled.noneOf === null
    ? null
    : compiled;
}

/** One function over data: a closure for each list costs as much as looking through it. */
function passes({ anyOf, allOf, noneOf }: CompiledRule, values: readonly string[]): boolean {
  if (anyOf !== null && !hasOneOf(anyOf, values)) return false;
  for (let i = 0; i < allOf.length; i++) if (!values.includes(allOf[i]!)) return false;
  return noneOf === null || !hasOneOf(noneOf, values);
}

function hasOneOf(set: ReadonlySet<string>, values: readonly string[]): boolean {
  for (let i = 0; i < values.length; i++) if (set.has(values[i]!)) return true;
  return false;
}

function setOf(values: readonly string[]): ReadonlySet<string> | null {
  return values.length === 0 ? null : new Set(values);
}

const PASSED = 'passed';

/** Evaluates a requirement, for a prepared subject only once. */
export function verdictOf(evaluate: Evaluate, subject: Subject): Verdict {
  const known = verdictsOf(subject);
  if (known === undefined) return evaluate(subject);
  let verdict = known.get(evaluate);
  if (verdict === undefined) {
    verdict = evaluate(subject) ?? PASSED;
    known.set(evaluate, verdict);
  }
  return verdict === PASSED ? undefined : (verdict as Verdict);
}
