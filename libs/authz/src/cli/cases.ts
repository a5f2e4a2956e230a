// Why: docs/decisions/0022
import { parse } from 'yaml';
import type { Subject } from '../subject/subject.js';
import { UsageError } from './command.js';

/** Who may call what, as a team wrote it down. */
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
  if (reader.mistakes.length > 0) {
    const list = reader.mistakes.map((mistake) => `\n  - ${mistake}`).join('');
    throw new UsageError(`${file}: ${reader.mistakes.length} mistake(s):${list}`);
  }
  return cases;
}

function documentIn(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file}: ${message}`, { cause: error });
  }
}

type Fields = Readonly<Record<string, unknown>>;

class CasesReader {
  readonly mistakes: string[] = [];

  read(document: unknown): PolicyCases {
    const top = this.#object(document, 'the document', ['callers', 'cases', 'complete']);
    const callers = new Map<string, Subject | null>();
    const named = this.#object(top['callers'] ?? {}, 'callers');
    for (const [name, value] of Object.entries(named)) {
      callers.set(name, this.#caller(value, `callers.${name}`));
    }
    const rows = top['cases'];
    if (!Array.isArray(rows)) this.mistakes.push('cases: a list is wanted');
    const cases = (Array.isArray(rows) ? rows : []).map((row, index) =>
      this.#case(row, `cases[${index}]`, callers),
    );
    const complete = top['complete'] ?? false;
    if (typeof complete !== 'boolean') this.mistakes.push('complete: true or false is wanted');
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
      this.mistakes.push(`${place}.method: /pkg.Service/Method is wanted`);
    }
    const allowed = this.#texts(fields['allowed'], `${place}.allowed`);
    const denied = this.#texts(fields['denied'], `${place}.denied`);
    if (allowed.length + denied.length === 0) {
      this.mistakes.push(`${place}: names nobody under allowed or denied`);
    }
    for (const name of [...allowed, ...denied]) {
      if (!callers.has(name)) this.mistakes.push(`${place}: "${name}" is not among the callers`);
    }
    return { method: String(method), allowed, denied };
  }

  #texts(value: unknown, place: string): readonly string[] {
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    this.mistakes.push(`${place}: a list of text is wanted`);
    return [];
  }

  #object(value: unknown, place: string, known?: readonly string[]): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.mistakes.push(`${place}: an object is wanted`);
      return {};
    }
    for (const name of Object.keys(value)) {
      if (known !== undefined && !known.includes(name)) {
        this.mistakes.push(`${place}: "${name}" is not known; known are ${known.join(', ')}`);
      }
    }
    return value as Fields;
  }
}
