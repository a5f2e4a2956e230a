import type { Subject } from '../subject/subject.js';
import type { Requirement, Rule } from './requirement.js';

/** Which rule failed first; undefined when the subject passes. */
export type Verdict = 'roles' | 'permissions' | undefined;

/** A requirement ready to decide, without allocating anything. */
export type Evaluate = (subject: Subject) => Verdict;

type Test = (values: readonly string[]) => boolean;

const PASS: Evaluate = () => undefined;

/** Compiles a protected requirement; one without rules passes every subject. */
export function compileRequirement(requirement: Requirement): Evaluate {
  if (requirement.kind === 'public') return PASS;
  const roles = compileRule(requirement.roles);
  const permissions = compileRule(requirement.permissions);
  if (roles === null && permissions === null) return PASS;
  if (permissions === null) return (subject) => (roles!(subject.roles) ? undefined : 'roles');
  if (roles === null) {
    return (subject) => (permissions(subject.permissions) ? undefined : 'permissions');
  }
  return (subject) => {
    if (!roles(subject.roles)) return 'roles';
    return permissions(subject.permissions) ? undefined : 'permissions';
  };
}

function compileRule(rule: Rule | undefined): Test | null {
  if (rule === undefined) return null;
  const tests = [anyOf(rule.anyOf), allOf(rule.allOf), noneOf(rule.noneOf)].filter(
    (test) => test !== null,
  );
  const [first, second, third] = tests;
  if (first === undefined) return null;
  if (second === undefined) return first;
  if (third === undefined) return (values) => first(values) && second(values);
  return (values) => first(values) && second(values) && third(values);
}

function anyOf(wanted: readonly string[]): Test | null {
  if (wanted.length === 0) return null;
  const set = new Set(wanted);
  return (values) => {
    for (let i = 0; i < values.length; i++) if (set.has(values[i]!)) return true;
    return false;
  };
}

function allOf(wanted: readonly string[]): Test | null {
  const list = [...new Set(wanted)];
  if (list.length === 0) return null;
  return (values) => {
    for (let i = 0; i < list.length; i++) if (!values.includes(list[i]!)) return false;
    return true;
  };
}

function noneOf(unwanted: readonly string[]): Test | null {
  const has = anyOf(unwanted);
  return has === null ? null : (values) => !has(values);
}
