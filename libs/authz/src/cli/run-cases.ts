import type { Authorizer } from '../decide/authorizer.js';
import { describeFinding } from '../policy/explain.js';
import { coversMethod } from '../policy/method-pattern.js';
import type { PolicyCase, PolicyCases } from './cases.js';

export interface CasesResult {
  /** How many decisions were looked at. */
  readonly count: number;
  /** The differences from the document, in words. */
  readonly failures: readonly string[];
}

/** Compares the decisions of the policies with the document. */
export function runCases(authorizer: Authorizer, table: PolicyCases): CasesResult {
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
        const failure = failureOf(authorizer, method, name, wanted, table);
        if (failure !== undefined) failures.push(failure);
      }
    }
  }
  if (table.complete) {
    const missing = authorizer.methodNames().filter((method) => !covered.has(method));
    failures.push(...missing.map((method) => `${method}: has no case`));
  }
  return { count, failures };
}

function methodsOf(authorizer: Authorizer, pattern: string): readonly string[] {
  return authorizer.methodNames().filter((name) => coversMethod(pattern, name));
}

function expectationsOf({ allowed, denied }: PolicyCase): (readonly [string, boolean])[] {
  return [
    ...allowed.map((name) => [name, true] as const),
    ...denied.map((name) => [name, false] as const),
  ];
}

function failureOf(
  authorizer: Authorizer,
  method: string,
  name: string,
  wanted: boolean,
  { callers }: PolicyCases,
): string | undefined {
  const { allowed, reason, findings } = authorizer.explain(method, callers.get(name)!);
  if (allowed === wanted) return undefined;
  if (allowed) return `${method}: ${name} should be denied but is allowed`;
  const why = findings.filter(({ passed }) => !passed).map(describeFinding);
  return `${method}: ${name} should be allowed but is denied: ${why.join('; ') || reason}`;
}
