import {
  JsonError,
  Mistakes,
  mistakesText,
  readJsonText,
  shownValue,
  thrownText,
} from '@apix/contracts';
// Why: docs/decisions/0022
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

/**
 * Reads a table of cases, in YAML or JSON.
 *
 * @throws UsageError that lists every mistake with its place in the document.
 */
export function readCases(file: string, text: string): PolicyCases {
  const reader = new CasesReader();
  const cases = reader.read(documentIn(file, text));
  reader.mistakes.throwIfAny((found) => new UsageError(mistakesText(file, found)));
  return cases;
}

function documentIn(file: string, text: string): unknown {
  try {
    return /\.json$/i.test(file) ? readJsonText(text).value : parse(text);
  } catch (error) {
    const place = error instanceof JsonError ? `${file}:${error.line}` : file;
    throw new UsageError(`${place}: ${thrownText(error)}`, { cause: error });
  }
}

type Fields = Readonly<Record<string, unknown>>;

class CasesReader {
  readonly mistakes = new Mistakes();

  read(document: unknown): PolicyCases {
    const top = this.#object(document, 'the document', ['callers', 'cases', 'complete']);
    const callers = new Map<string, Subject | null>();
    const named = this.#object(top['callers'] ?? {}, 'callers');
    for (const [name, value] of Object.entries(named)) {
      callers.set(name, this.#caller(value, `callers.${name}`));
    }
    const rows = top['cases'];
    if (!Array.isArray(rows))
      this.mistakes.add('cases', `must be an array, not ${shownValue(rows)}`);
    const cases = (Array.isArray(rows) ? rows : []).map((row, index) =>
      this.#case(row, `cases[${index}]`, callers),
    );
    const complete = top['complete'] ?? false;
    this.mistakes.flag('complete', complete as boolean);
    return { callers, cases, complete: complete === true };
  }

  #caller(value: unknown, place: string): Subject | null {
    if (value === null) return null;
    const fields = this.#object(value, place, ['roles', 'permissions']);
    return {
      roles: this.#texts(fields['roles'], `${place}.roles`),
      permissions: this.#texts(fields['permissions'], `${place}.permissions`),
    };
  }

  #case(value: unknown, place: string, callers: ReadonlyMap<string, unknown>): PolicyCase {
    const fields = this.#object(value, place, ['method', 'allowed', 'denied']);
    const { method } = fields;
    if (typeof method !== 'string') {
      this.mistakes.add(
        `${place}.method`,
        `must be /pkg.Service/Method, not ${shownValue(method)}`,
      );
    }
    const allowed = this.#texts(fields['allowed'], `${place}.allowed`);
    const denied = this.#texts(fields['denied'], `${place}.denied`);
    if (allowed.length + denied.length === 0) {
      this.mistakes.add(place, 'needs a caller in allowed or denied');
    }
    for (const name of [...allowed, ...denied]) {
      if (!callers.has(name)) this.mistakes.add(place, `callers has no ${shownValue(name)}`);
    }
    return { method: typeof method === 'string' ? method : '', allowed, denied };
  }

  #texts(value: unknown, place: string): readonly string[] {
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    this.mistakes.add(place, `must be an array of strings, not ${shownValue(value)}`);
    return [];
  }

  #object(value: unknown, place: string, known?: readonly string[]): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.mistakes.add(place, `must be an object, not ${shownValue(value)}`);
      return {};
    }
    for (const name of Object.keys(value)) {
      if (known !== undefined && !known.includes(name)) {
        this.mistakes.add(place, `unknown member ${shownValue(name)}; use ${known.join(', ')}`);
      }
    }
    return value as Fields;
  }
}
