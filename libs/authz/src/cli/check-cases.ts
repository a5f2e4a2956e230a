import type { Explanation } from '../decide/admission.js';
import type { Authorizer } from '../decide/authorizer.js';
import { describeCondition } from '../conditions/condition-findings.js';
import { coversMethod } from '../policy/exemptions.js';
import { failedTexts } from '../policy/explain.js';
import type { PolicyCase, PolicyCases } from './cases.js';
import { givenAnswer, givenRecord, hiddenFrom } from './given-record.js';

interface CasesResult {
  /** How many decisions were looked at. */
  readonly count: number;
  /** The differences from the document, in words. */
  readonly failures: readonly string[];
}

/** Compares the decisions of the policies with the document. */
export function checkCases(authorizer: Authorizer, table: PolicyCases): CasesResult {
  const failures: string[] = [];
  const covered = new Set<string>();
  let count = 0;
  for (const row of table.cases) {
    const methods = methodsOf(authorizer, row.method);
    if (methods.length === 0) failures.push(`${row.method}: the descriptors have no such method`);
    for (const method of methods) {
      covered.add(method);
      for (const [name, wanted] of expectationsOf(row)) {
        count++;
        const record = givenRecord(authorizer, method, row);
        const caller = table.callers.get(name)!;
        const failure = failureOf(authorizer.explain(method, caller, record), name, wanted);
        if (failure !== undefined) failures.push(failure);
      }
      const answer = givenAnswer(authorizer, method, row.answer);
      for (const [name, wanted] of Object.entries(row.hidden)) {
        count++;
        const hidden = hiddenFrom(authorizer, method, table.callers.get(name)!, answer!);
        if (sameNames(hidden, wanted)) continue;
        failures.push(
          `${method}: the answer to ${name} should hide ${listed(wanted)} but hides ${listed(hidden)}`,
        );
      }
    }
  }
  if (table.complete) {
    const missing = authorizer.methods.names().filter((method) => !covered.has(method));
    failures.push(...missing.map((method) => `${method}: has no case`));
  }
  return { count, failures };
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return String(some.toSorted()) === String(others.toSorted());
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.join(', ');
}

function methodsOf(authorizer: Authorizer, pattern: string): readonly string[] {
  return authorizer.methods.names().filter((name) => coversMethod(pattern, name));
}

function expectationsOf({ allowed, denied }: PolicyCase): (readonly [string, boolean])[] {
  return [
    ...allowed.map((name) => [name, true] as const),
    ...denied.map((name) => [name, false] as const),
  ];
}

function failureOf(
  { method, allowed, reason, findings, conditions, list }: Explanation,
  name: string,
  wanted: boolean,
): string | undefined {
  if (allowed && list?.shows !== undefined) {
    if (list.shows === wanted) return undefined;
    return list.shows
      ? `${method}: the record should not be listed for ${name} but is: ${list.filter}`
      : `${method}: the record should be listed for ${name} but is not: ${list.filter}`;
  }
  if (allowed === wanted) return undefined;
  if (allowed) return `${method}: ${name} should be denied but is allowed`;
  const why = whyDenied({ reason, findings, conditions });
  return `${method}: ${name} should be allowed but is denied: ${why}`;
}

/** What a caller lacks, in words. */
export function whyDenied({
  reason,
  findings,
  conditions,
}: Pick<Explanation, 'reason' | 'findings' | 'conditions'>): string {
  const why = [
    ...failedTexts(findings),
    ...conditions.filter(({ met }) => !met).map(describeCondition),
  ];
  return why.join('; ') || reason;
}
