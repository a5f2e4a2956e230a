import type { PolicyView, RuleView } from '@apix/contracts';
import type { PolicyMatrix } from '../../libs/host-page/src/section-views.js';
import type { CommandReport } from './command-report.js';
import { OF_CALLER } from './policy-files.js';

const PERMISSION = 'may ';

/** Who stands at the head of a column. */
interface Caller {
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** How the matrix differs from the report, method by method and column by column. */
export function differences(matrix: PolicyMatrix, report: CommandReport): readonly string[] {
  const found = [
    ...inTexts(
      matrix.methods.map(({ method, who }) => [method, who]),
      report.methods,
    ),
    ...inTexts(
      matrix.fields.map(({ field, who }) => [field, who]),
      report.fields,
    ),
  ];
  if (matrix.leftOut > 0) found.push(`${matrix.leftOut} roles and permissions have no column`);
  const callers = matrix.callers.map(callerOf);
  for (const { method, access } of matrix.methods) {
    const policy = report.policies.get(method);
    const wanted = policy && callers.map((caller) => markOf(policy, caller)).join('');
    if (access !== wanted) found.push(`${method}: ${access}, by the report ${wanted}`);
  }
  return found;
}

type Row = readonly [name: string, who: string];

function inTexts(shown: readonly Row[], told: readonly Row[]): string[] {
  const length = Math.max(shown.length, told.length);
  return Array.from({ length }, (_, at) => [shown[at]?.join(': '), told[at]?.join(': ')])
    .filter(([here, there]) => here !== there)
    .map(([here, there]) => `the page says "${here}", the command "${there}"`);
}

/** Null: one who is not known. */
function callerOf(head: string): Caller | null {
  if (head === 'anonymous') return null;
  if (head === 'any caller') return { roles: [], permissions: [] };
  if (head.startsWith(PERMISSION)) {
    return { roles: [], permissions: [head.slice(PERMISSION.length)] };
  }
  return { roles: [head], permissions: [] };
}

/** What a policy of the report means for a caller, decided without a line of the packages. */
function markOf(policy: PolicyView, caller: Caller | null): '+' | '-' | '?' {
  if (policy.kind === 'public') return '+';
  if (policy.kind === 'unannotated') return policy.allowed ? '+' : '-';
  if (caller === null) return '-';
  if (!meets(policy.roles, caller.roles)) return '-';
  if (!meets(policy.permissions, caller.permissions)) return '-';
  const said = (policy.conditions ?? []).map(({ id }) => OF_CALLER.get(id)?.(caller.roles));
  if (said.includes(false)) return '-';
  return said.includes(undefined) ? '?' : '+';
}

function meets(rule: RuleView | undefined, values: readonly string[]): boolean {
  const { anyOf = [], allOf = [], noneOf = [] } = rule ?? {};
  const has = (value: string): boolean => values.includes(value);
  return (anyOf.length === 0 || anyOf.some(has)) && allOf.every(has) && !noneOf.some(has);
}
