import type { ConditionView, PolicyView, RuleView } from '@apix/contracts';
import type { ConditionMeaning } from '../conditions/method-conditions.js';
import type { ListsView } from '../conditions/method-lists.js';
import type { Authorizer } from '../decide/authorizer.js';

/** Who sees a field in words. */
export function audienceText(authorizer: Authorizer, field: string): string {
  const requirement = authorizer.fields.requirementOf(field);
  return requirement === undefined
    ? 'every caller that gets the message'
    : describePolicy(requirement);
}

/** The policy of a method in words, with what exempts it. */
export function policyText(authorizer: Authorizer, method: string): string {
  const policy = authorizer.policyOf(method)!;
  const exempt = policy.kind === 'unannotated' && authorizer.methods.exemptions.has(method);
  if (exempt) return 'no policy: exempt';
  const lists = authorizer.methods.listsOf(method);
  const conditions = authorizer.methods.conditionsOf(method);
  return (
    describePolicy(policy, conditions) +
    (lists === undefined ? '' : `; lists ${describeLists(lists)}`)
  );
}

/** The records of a list in one line, with the definitions that decide about them. */
function describeLists({ type, where, definitions }: ListsView): string {
  return `${type} where ${where}${describeUsed(definitions)}`;
}

/** Who may call, in one line. */
export function describePolicy(
  policy: PolicyView,
  meanings: readonly ConditionMeaning[] = [],
): string {
  switch (policy.kind) {
    case 'public':
      return 'public';
    case 'unannotated':
      return policy.allowed ? 'no policy: open to all' : 'no policy: closed';
    case 'protected': {
      const rules = [
        ...describeRule('roles', policy.roles),
        ...describeRule('permissions', policy.permissions),
        ...(policy.conditions ?? []).map((condition) => describeCondition(condition, meanings)),
      ];
      return rules.length === 0 ? 'any authenticated caller' : rules.join('; ');
    }
  }
}

/** A condition with the definitions that it uses, and the record that it reads. */
function describeCondition(
  { id, expression }: ConditionView,
  meanings: readonly ConditionMeaning[],
): string {
  const { definitions = {}, resource } = meanings.find((each) => each.id === id) ?? {};
  const record = resource === undefined ? {} : { resource };
  return `${id}: ${expression}${describeUsed({ ...definitions, ...record })}`;
}

/** What is used by name, in brackets. */
function describeUsed(named: Readonly<Record<string, string>>): string {
  const used = Object.entries(named).map(([name, text]) => `${name}: ${text}`);
  return used.length === 0 ? '' : ` (${used.join('; ')})`;
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
