import type { Requirement, Rule } from './requirement.js';

/** The mistakes in a requirement: rules without effect, or rules that no caller can pass. */
export function requirementMistakes(requirement: Requirement): string[] {
  if (requirement.kind === 'public') return [];
  return [
    ...ruleMistakes('roles', requirement.roles),
    ...ruleMistakes('permissions', requirement.permissions),
  ];
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
