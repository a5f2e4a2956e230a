import { JsonError, type Mistakes, shownValue, thrownText } from '@apix/contracts';
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
  mistakesText,
} from '@apix/contracts/internal';
import { parse } from 'yaml';
import type { Subject } from '../subject/subject.js';
import { UsageError } from './command.js';

// Why: docs/decisions/0391

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
    checkNames,
  );
  return { callers: new Map(Object.entries(callers)), cases, complete };
}

function checkNames(
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
