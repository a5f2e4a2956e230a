import { JsonError, type Mistakes, mistakesText, shownValue, thrownText } from '@apix/contracts';
import {
  readJsonText,
  anyValue,
  arrayOf,
  checkedOptions,
  FLAG,
  isRecord,
  option,
  type Option,
  type OptionTable,
  type ReadOptions,
  recordOf,
  required,
  section,
  shaped,
  STRING,
  withDefault,
} from '@apix/contracts/internal';
import { parse } from 'yaml';
import type { Subject } from '../subject/subject.js';
import type { Explanation } from '../decide/admission.js';
import type { Authorizer } from '../decide/authorizer.js';
import { describeCondition } from '../decide/condition-findings.js';
import { describeFinding } from '../policy/explain.js';
import { coversMethod } from '../policy/exemptions.js';
import { UsageError } from './command.js';
import { givenAnswer, givenRecord, hiddenFrom } from './given-record.js';

// Why: docs/decisions/0391

/** Who may call what, as documented by a team. */
interface PolicyCases {
  readonly callers: ReadonlyMap<string, Subject | null>;
  readonly cases: readonly PolicyCase[];
  /** Whether a method without a case is a failure. */
  readonly complete: boolean;
}

interface PolicyCase {
  /** `/pkg.Service/Method`, or `/pkg.Service/*` for all of a service. */
  readonly method: string;
  /** Names of callers. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  /** The request, in JSON, for conditions. Undefined: a method with conditions is denied. */
  readonly request?: unknown;
  /** The record that the conditions read, in JSON. Undefined: there is none. */
  readonly resource?: unknown;
  /** A record of a list, in JSON: `allowed` are then those to whom the list shows it. */
  readonly listed?: unknown;
  /** An answer of the method, in JSON, of which `hidden` says what callers do not get. */
  readonly answer?: unknown;
  /** The fields of `answer` that a caller does not get, by caller: paths such as `items[0].phone`. */
  readonly hidden: Readonly<Record<string, readonly string[]>>;
}

const TEXTS = withDefault(arrayOf(STRING, 'an array of strings'), []);

const CALLER = section({
  roles: TEXTS,
  permissions: TEXTS,
  id: STRING,
  claims: option<Readonly<Record<string, unknown>>>('an object', isRecord),
} satisfies OptionTable<Subject>) as Option<Subject>;

const CASE = {
  method: required(option<string>('/pkg.Service/Method', isString), ''),
  allowed: TEXTS,
  denied: TEXTS,
  request: anyValue(),
  resource: anyValue(),
  listed: anyValue(),
  answer: anyValue(),
  hidden: withDefault(recordOf(arrayOf(STRING, 'an array of strings')), {}),
} satisfies OptionTable<PolicyCase>;

/** The allowed content of a document. */
const POLICY_CASES = {
  callers: withDefault(
    recordOf(shaped<Subject | null>((value) => (value === null ? anyValue<null>() : CALLER))),
    {},
  ),
  cases: required(arrayOf(section(CASE)), []),
  complete: withDefault(FLAG, false),
} satisfies OptionTable<PolicyCases>;

/**
 * Reads a table of cases, in YAML or JSON.
 *
 * @throws UsageError that lists every mistake with its place in the document.
 */
export function readCases(file: string, text: string): PolicyCases {
  const { callers, cases, complete } = checkedOptions(
    POLICY_CASES,
    documentIn(file, text),
    (found) => new UsageError(mistakesText(file, found)),
    checkCases,
  );
  return { callers: new Map(Object.entries(callers)), cases, complete };
}

function checkCases(
  { callers, cases }: ReadOptions<typeof POLICY_CASES>,
  mistakes: Mistakes,
): void {
  for (const [index, { allowed, denied, hidden, answer }] of cases.entries()) {
    const seeing = Object.keys(hidden);
    const names = [...allowed, ...denied, ...seeing];
    if (names.length === 0) {
      mistakes.add(`cases[${index}]`, 'needs a caller in allowed, denied or hidden');
    }
    if (seeing.length > 0 !== (answer !== undefined)) {
      mistakes.add(`cases[${index}]`, 'answer and hidden need each other');
    }
    for (const name of names) {
      if (Object.hasOwn(callers, name)) continue;
      mistakes.add(`cases[${index}]`, `callers has no ${shownValue(name)}`);
    }
  }
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function documentIn(file: string, text: string): unknown {
  try {
    return /\.json$/i.test(file) ? readJsonText(text).value : parse(text);
  } catch (error) {
    const place = error instanceof JsonError ? `${file}:${error.line}` : file;
    throw new UsageError(`${place}: ${thrownText(error)}`, { cause: error });
  }
}

interface CasesResult {
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
  const why = [
    ...findings.filter(({ passed }) => !passed).map(describeFinding),
    ...conditions.filter(({ met }) => !met).map(describeCondition),
  ];
  return `${method}: ${name} should be allowed but is denied: ${why.join('; ') || reason}`;
}
