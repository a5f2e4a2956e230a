import type { Explanation, GivenRecord } from '../decide/admission.js';
import type { Authorizer } from '../decide/authorizer.js';
import { coversMethod } from '../policy/exemptions.js';
import type { Subject } from '../subject/subject.js';
import type { PolicyCases } from './cases.js';
import { type CaseMessages, type GivenCase, type Versions, givenCase } from './case-messages.js';
import { whyDenied } from './check-cases.js';
import { UsageError } from './command.js';
import { answerJson, hiddenFrom, messageIn, missingIn } from './given-record.js';

/** What two sets say about one case. */
export interface CaseChange {
  readonly method: string;
  /** The file, and which case of it. */
  readonly case: string;
  /** The callers that are allowed, or that a list shows its record. Null: there is no such method. */
  readonly before: string | null;
  readonly after: string | null;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/**
 * Every case with what each caller of the table gains or loses by a change of the policies, also those that lose and gain
 * nothing. What a case expects is not looked at.
 *
 * @throws UsageError for a case whose method neither set has, or whose messages neither can read.
 */
export function caseChanges(versions: Versions, file: string, table: PolicyCases): CaseChange[] {
  return table.cases.flatMap((row, index) => {
    const place = `${file}: cases[${index}]`;
    const known = [...versions.before.methods.names(), ...versions.after.methods.names()];
    const methods = [...new Set(known)].filter((name) => coversMethod(row.method, name));
    if (methods.length === 0) {
      throw new UsageError(`${place}: neither set has a method ${row.method}`);
    }
    return methods.map((method) => {
      const given = givenCase(versions, method, row, place);
      const outcomes = [...table.callers].map(([name, caller]) =>
        outcomeOf(versions, given, name, caller),
      );
      return {
        method,
        case: place,
        before: given.before === undefined ? null : namesOf(outcomes, 'before'),
        after: given.after === undefined ? null : namesOf(outcomes, 'after'),
        gained: outcomes.flatMap(({ gained }) => gained),
        lost: outcomes.flatMap(({ lost }) => lost),
      };
    });
  });
}

/** What a change of policies means to one caller. */
interface CallerOutcome {
  readonly name: string;
  readonly before: boolean;
  readonly after: boolean;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

function namesOf(outcomes: readonly CallerOutcome[], version: 'before' | 'after'): string {
  const names = outcomes.filter((outcome) => outcome[version]).map(({ name }) => name);
  return names.join(', ') || 'no caller';
}

function outcomeOf(
  versions: Versions,
  given: GivenCase,
  name: string,
  caller: Subject | null,
): CallerOutcome {
  const [old, now] = (['before', 'after'] as const).map((version) =>
    decided(versions[version], given.method, given[version], caller),
  ) as [Decided, Decided];
  const access = { name, before: old.passes, after: now.passes, gained: [], lost: [] };
  if (old.passes !== now.passes) {
    return now.passes
      ? { ...access, gained: [name] }
      : { ...access, lost: [`${name}: ${now.why}`] };
  }
  // Of those that get no answer no field is shown or hidden; without a request nobody knows.
  if (!now.passes && !(old.depends || now.depends)) return access;
  const fields = fieldChanges(versions, given, caller);
  return {
    ...access,
    gained: fields.shown.map((path) => `${name}: ${path} is shown`),
    lost: fields.hidden.map((path) => `${name}: ${path} is hidden`),
  };
}

interface Decided {
  readonly passes: boolean;
  /** Whether the policy needs a request, which the case does not have. */
  readonly depends: boolean;
  /** Why it does not pass. */
  readonly why: string;
}

function decided(
  authorizer: Authorizer,
  method: string,
  messages: CaseMessages | undefined,
  caller: Subject | null,
): Decided {
  if (messages === undefined)
    return { passes: false, depends: false, why: 'the method is removed' };
  const explanation = authorizer.explain(method, caller, recordOf(authorizer, method, messages));
  const depends = explanation.reason === 'no_request';
  const passes = explanation.allowed && explanation.list?.shows !== false;
  return {
    passes,
    depends,
    why: depends ? 'depends on the request; give one' : whyNot(explanation),
  };
}

function whyNot(explanation: Explanation): string {
  const { allowed, list } = explanation;
  return allowed && list !== undefined ? `the list shows ${list.filter}` : whyDenied(explanation);
}

function recordOf(
  authorizer: Authorizer,
  method: string,
  { request, resource, listed }: CaseMessages,
): GivenRecord | undefined {
  if (request === undefined && listed === undefined) return undefined;
  const { input } = authorizer.methods.typesOf(method)!;
  return { request: request ?? messageIn('request', input, {}, {}), resource, listed };
}

/** The paths of an answer that a caller comes to see, or no longer sees; not those that one of the sets does not have. */
function fieldChanges(
  { before, after }: Versions,
  { method, before: old, after: now }: GivenCase,
  caller: Subject | null,
): { readonly shown: readonly string[]; readonly hidden: readonly string[] } {
  if (old?.answer === undefined || now?.answer === undefined) return { shown: [], hidden: [] };
  const hiddenBefore = hiddenFrom(before, method, caller, old.answer);
  const hiddenAfter = hiddenFrom(after, method, caller, now.answer);
  const [whole, wholeNow] = [
    answerJson(before, method, old.answer),
    answerJson(after, method, now.answer),
  ];
  return {
    shown: outside(hiddenBefore, [...hiddenAfter, ...missingIn(whole, wholeNow, '')]),
    hidden: outside(hiddenAfter, [...hiddenBefore, ...missingIn(wholeNow, whole, '')]),
  };
}

/** The paths that are none of others, nor below one of them. */
function outside(paths: readonly string[], others: readonly string[]): string[] {
  const isBelow = (path: string, other: string): boolean =>
    path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[`);
  return paths.filter((path) => !others.some((other) => isBelow(path, other)));
}
