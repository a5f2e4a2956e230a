import type { MethodAccess } from '@apix/contracts';
import type { Explanation, ListFinding } from '../decide/admission.js';
import { describeCondition } from '../conditions/condition-findings.js';
import { type FieldFinding, describeField } from '../fields/field-findings.js';
import { describeFinding } from '../policy/explain.js';
import type { Subject } from '../subject/subject.js';
import { describeLists } from './policy-texts.js';

/** One thing that was looked at; `passes` is undefined where only a request or an answer can decide. */
export interface FindingLine {
  readonly passes: boolean | undefined;
  readonly text: string;
}

/**
 * Whether a caller gets in, and the status that it gets if not.
 *
 * @param access what the conditions say that read the caller alone, where no request was given. Default: 'undecided'.
 */
export function verdictText(
  { allowed, reason }: Explanation,
  access: MethodAccess = 'undecided',
): string {
  const verdict = allowed ? 'allowed' : reason === 'no_request' ? access : 'denied';
  if (verdict === 'allowed') return verdict;
  if (verdict === 'undecided') return 'depends on the request';
  return reason === 'anonymous' ? 'denied, UNAUTHENTICATED' : 'denied, PERMISSION_DENIED';
}

/** What was looked at, in words, in the order in which it is evaluated. */
export function findingLines(
  { findings, conditions, list }: Explanation,
  fields: readonly FieldFinding[],
): FindingLine[] {
  return [
    ...findings.map((each) => ({ passes: each.passed, text: describeFinding(each) })),
    ...conditions.map((each) => ({ passes: each.met, text: describeCondition(each) })),
    ...(list === undefined ? [] : listLines(list)),
    ...fields.map((each) => ({ passes: each.shown, text: describeField(each) })),
  ];
}

function listLines({ type, filter, shows }: ListFinding): FindingLine[] {
  const lists = { passes: true, text: `lists ${type} where ${filter}` };
  if (shows === undefined) return [lists];
  return [lists, { passes: shows, text: shows ? 'shows the record' : 'does not show the record' }];
}

/** A caller in one line. */
export function describeCaller(caller: Subject | null): string {
  if (caller === null) return 'an anonymous caller';
  const lists = [
    ['roles', caller.roles],
    ['permissions', caller.permissions],
  ] as const;
  const held = describeLists(lists);
  return held.length === 0 ? 'any authenticated caller' : held.join(' with ');
}
