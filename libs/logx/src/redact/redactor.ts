import type { Redactor } from '../event/field-reader.js';
import { bareObject } from '../value/bare-object.js';
import { type FieldValue, isBytes } from '../value/field-value.js';
import { fieldValueOf } from '../value/field-value-of.js';
import { safely } from '../value/safely.js';
import type { ResolvedLimits } from '../value/value-limits.js';
import { hideInConnectionStrings } from './connection-strings.js';
import { below, pathTree, type RedactBranch } from './path-tree.js';
import type { Censor, RedactOptions } from './redact-options.js';
import { SAFE_REDACTION } from './safe-redaction.js';
import { nameMatcher } from './secret-names.js';

const CENSOR = '[Redacted]';

/** @throws RangeError for a path that cannot be read. */
export function redactorOf(
  redact: readonly string[] | RedactOptions,
  limits: ResolvedLimits,
): Redactor {
  return new OptionsRedactor(isPaths(redact) ? { paths: redact } : redact, limits);
}

type Hide = (value: FieldValue, path: readonly string[]) => FieldValue | undefined;
type Branches = readonly RedactBranch[];

/** Hides the values that the options select. Values are never changed in place. */
class OptionsRedactor implements Redactor {
  readonly #root: Branches;
  readonly #isSecret: ((name: string) => boolean) | undefined;
  readonly #hide: Hide;
  readonly #textCensor: string | undefined;

  constructor(options: RedactOptions, limits: ResolvedLimits) {
    const { paths = [], safe = false } = options;
    const names = [...(safe ? SAFE_REDACTION.names : []), ...(options.names ?? [])];
    const { connectionStrings = safe } = options;
    const { censor = CENSOR, remove = false } = options;
    this.#root = paths.length === 0 ? [] : [pathTree(paths)];
    this.#isSecret = names.length === 0 ? undefined : nameMatcher(names);
    this.#hide = remove ? () => undefined : (value, path) => censored(censor, value, path, limits);
    // A part of a text is always replaced, never removed, because a reader would not notice that.
    if (connectionStrings) this.#textCensor = typeof censor === 'string' ? censor : CENSOR;
  }

  field(name: string, value: FieldValue): FieldValue | undefined {
    return this.#member(value, name, this.#root, []);
  }

  text(text: string): string {
    return this.#textCensor === undefined ? text : hideInConnectionStrings(text, this.#textCensor);
  }

  #member(
    value: FieldValue,
    name: string,
    branches: Branches,
    outer: readonly string[],
  ): FieldValue | undefined {
    const inner = below(branches, name);
    const isSecret = this.#isSecret?.(name) ?? false;
    if (isSecret || inner.some(({ isHidden }) => isHidden))
      return this.#hide(value, [...outer, name]);
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null || isBytes(value)) return value;
    if (inner.length === 0 && this.#isSecret === undefined && this.#textCensor === undefined) {
      return value;
    }
    const path = [...outer, name];
    if (Array.isArray(value)) {
      return value.map((item: FieldValue, i) => this.#member(item, String(i), inner, path) ?? null);
    }
    const members = bareObject<FieldValue>();
    for (const each of Object.keys(value)) {
      const member = (value as Readonly<Record<string, FieldValue>>)[each]!;
      const shown = this.#member(member, each, inner, path);
      if (shown !== undefined) members[each] = shown;
    }
    return members;
  }
}

function isPaths(redact: readonly string[] | RedactOptions): redact is readonly string[] {
  return Array.isArray(redact);
}

function censored(
  censor: Censor,
  value: FieldValue,
  path: readonly string[],
  limits: ResolvedLimits,
): FieldValue | undefined {
  const shown = safely<unknown, string>(
    () => (typeof censor === 'function' ? censor(value, [...path]) : censor),
    () => CENSOR,
  );
  return shown === undefined ? undefined : fieldValueOf(shown, limits);
}
