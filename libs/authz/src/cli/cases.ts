import {
  JsonError,
  type Mistakes,
  mistakesText,
  readJsonText,
  shownValue,
  thrownText,
} from '@apix/contracts';
import {
  anyValue,
  arrayOf,
  checkedOptions,
  FLAG,
  option,
  type OptionTable,
  type ReadOptions,
  recordOf,
  required,
  section,
  shaped,
  STRING,
  withDefault,
} from '@apix/contracts/options';
// Why: docs/decisions/0391
import { parse } from 'yaml';
import type { Subject } from '../subject/subject.js';
import { UsageError } from './command.js';

/** Who may call what, as documented by a team. */
export interface PolicyCases {
  readonly callers: ReadonlyMap<string, Subject | null>;
  readonly cases: readonly PolicyCase[];
  /** Whether a method without a case is a failure. */
  readonly complete: boolean;
}

export interface PolicyCase {
  /** `/pkg.Service/Method`, or `/pkg.Service/*` for all of a service. */
  readonly method: string;
  /** Names of callers. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

const TEXTS = withDefault(arrayOf(STRING, 'an array of strings'), []);

const CALLER = section({
  roles: TEXTS,
  permissions: TEXTS,
} satisfies OptionTable<Pick<Subject, 'roles' | 'permissions'>>);

const CASE = {
  method: required(option<string>('/pkg.Service/Method', isString), ''),
  allowed: TEXTS,
  denied: TEXTS,
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
  for (const [index, { allowed, denied }] of cases.entries()) {
    const names = [...allowed, ...denied];
    if (names.length === 0) mistakes.add(`cases[${index}]`, 'needs a caller in allowed or denied');
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
