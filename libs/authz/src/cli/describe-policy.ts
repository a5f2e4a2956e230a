import type { PolicyView, RuleView } from '@apix/contracts';

/** Who may call, in one line. */
export function describePolicy(policy: PolicyView): string {
  switch (policy.kind) {
    case 'public':
      return 'public';
    case 'unannotated':
      return policy.allowed ? 'no policy: open to all' : 'no policy: closed';
    case 'protected': {
      const rules = [
        ...describeRule('roles', policy.roles),
        ...describeRule('permissions', policy.permissions),
      ];
      return rules.length === 0 ? 'any authenticated caller' : rules.join('; ');
    }
  }
}

function describeRule(on: string, rule: RuleView | undefined): string[] {
  if (rule === undefined) return [];
  const lists = [
    ['any of', rule.anyOf],
    ['all of', rule.allOf],
    ['none of', rule.noneOf],
  ] as const;
  const texts = lists
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name} ${values.join(', ')}`);
  return texts.length === 0 ? [] : [`${on}: ${texts.join(' and ')}`];
}
