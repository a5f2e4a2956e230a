import type { ConditionView, RuleView } from '@apix/contracts';
import type { ConditionMeaning } from '../conditions/method-conditions.js';
import type { ListsView } from '../conditions/method-lists.js';
import type { Authorizer } from '../decide/authorizer.js';
import type { OpenReason, Standing } from '../decide/rulebook.js';
import type { Requirement } from '../policy/requirement.js';

/** Who sees a field in words. */
export function audienceText(authorizer: Authorizer, field: string): string {
  const requirement = authorizer.fields.requirementOf(field);
  return requirement === undefined
    ? 'every caller that gets the message'
    : describePolicy(requirement);
}

/** Who may call what is open. */
const OPEN: Readonly<Record<OpenReason, string>> = {
  public: 'public',
  exempt: 'no policy: exempt',
  unannotated: 'no policy: open to all',
};

/** The policy of a method in words, with what exempts it. */
export function policyText(authorizer: Authorizer, method: string): string {
  return standingText(authorizer.standing(method));
}

/** Who may call what stands so, in words: the very rules, conditions and lists that its calls are decided by. */
export function standingText(standing: Standing): string {
  switch (standing.kind) {
    case 'open':
      return OPEN[standing.reason];
    case 'closed':
      return 'no policy: closed';
    case 'protected': {
      const { policy, conditions, lists } = standing;
      const meanings = conditions?.list.map((condition) => conditions.meaningOf(condition));
      const who = describePolicy(policy.requirement!, meanings);
      return who + (lists === undefined ? '' : `; lists ${describeRecords(lists.view)}`);
    }
  }
}

/** The records of a list in one line, with the definitions that decide about them. */
function describeRecords({ type, where, definitions }: ListsView): string {
  return `${type} where ${where}${describeUsed(definitions)}`;
}

/** Who may call, in one line. */
export function describePolicy(
  requirement: Requirement,
  meanings: readonly ConditionMeaning[] = [],
): string {
  if (requirement.kind === 'public') return OPEN.public;
  const rules = [
    ...describeRule('roles', requirement.roles),
    ...describeRule('permissions', requirement.permissions),
    ...(requirement.conditions ?? []).map((each) => describeCondition(each, meanings)),
  ];
  return rules.length === 0 ? 'any authenticated caller' : rules.join('; ');
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
  const texts = describeLists(lists);
  return texts.length === 0 ? [] : [`${on}: ${texts.join(' and ')}`];
}

/** Lists of values that are not empty, such as `any of admin, staff`. */
export function describeLists(
  lists: readonly (readonly [name: string, values: readonly string[]])[],
): string[] {
  return lists
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name} ${values.join(', ')}`);
}
