import type { PolicyView, RuleView } from '@apix/contracts';

/** Who sees a field, for its description. */
export function audienceOf(view: PolicyView): string {
  if (view.kind !== 'protected') return '';
  const conditions = (view.conditions ?? []).map(({ expression }) => `if \`${expression}\``);
  const parts = [...rulesOf(view), ...conditions];
  return `Shown ${parts.length === 0 ? 'to authenticated callers' : `to callers ${parts.join(', ')}`}.`;
}

/** What callers of a method need, and on which records, for the answer of those who are refused. */
export function needsOf(view: PolicyView | undefined): string {
  if (view?.kind !== 'protected' || view.conditions === undefined) return '';
  const words = view.conditions.map(({ id, message }) => message ?? `the condition ${id} is met`);
  return `, or a condition is not met: ${words.join('; ')}`;
}

function rulesOf({ roles, permissions }: Extract<PolicyView, { kind: 'protected' }>): string[] {
  return [...wordsOf('role', roles), ...wordsOf('permission', permissions)];
}

function wordsOf(what: string, rule: RuleView | undefined): string[] {
  if (rule === undefined) return [];
  const { anyOf, allOf, noneOf } = rule;
  const named = (list: readonly string[], word: string): string =>
    `the ${what}${list.length === 1 ? '' : 's'} ${list.join(` ${word} `)}`;
  return [
    ...(anyOf.length > 0 ? [`with ${named(anyOf, 'or')}`] : []),
    ...(allOf.length > 0 ? [`with ${named(allOf, 'and')}`] : []),
    ...(noneOf.length > 0 ? [`without ${named(noneOf, 'or')}`] : []),
  ];
}
