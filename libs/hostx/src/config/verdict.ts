import { type Path, isWithin } from './path.js';
import type { SchemaIssue, StandardSchema } from './standard-schema.js';
import { type Tree, valueAt, withValueAt } from './tree.js';
import type { Setting } from './variables.js';

export interface Located {
  readonly path: Path;
  readonly message: string;
}

/** The result of validating the whole. */
export type Verdict<T> = { readonly value: T } | { readonly issues: readonly Located[] };

/**
 * Validates, and again with the other readings of those variables that were refused, or from whose JSON the
 * schema makes a string.
 */
export async function judge<T>(
  schema: StandardSchema<T>,
  files: Tree,
  settings: readonly Setting[],
): Promise<Verdict<T>> {
  const doubtful = settings.filter(({ readings }) => readings.length > 1);
  const validate = (others: ReadonlySet<Setting>): Promise<Verdict<T>> =>
    verdictOf(
      schema,
      settings.reduce((tree, setting) => placed(tree, setting, others), files),
    );
  /** A string is better made of the text itself: that of [1,2] would be 1,2. */
  const asTexts = async (
    verdict: { readonly value: T },
    others: ReadonlySet<Setting>,
  ): Promise<Verdict<T>> => {
    let converted = doubtful.filter(
      (one) => !others.has(one) && isConverted(one, verdict.value as Tree),
    );
    while (converted.length > 0) {
      const again = await validate(new Set([...others, ...converted]));
      if ('value' in again) return again;
      const kept = converted.filter(
        ({ path }) => !again.issues.some((one) => isWithin(one.path, path)),
      );
      converted = kept.length < converted.length ? kept : [];
    }
    return verdict;
  };
  const first = await validate(new Set());
  if ('value' in first) return asTexts(first, new Set());
  const refused = doubtful.filter(({ path }) =>
    first.issues.some((one) => isWithin(one.path, path)),
  );
  // A union reports its refusal at its own place, not at that of the value.
  const near = doubtful.filter(({ path }) => first.issues.some((one) => isWithin(path, one.path)));
  let second = first as Verdict<T>;
  for (const others of [refused, [...refused, ...near]]) {
    if (others.length === 0) continue;
    const verdict = await validate(new Set(others));
    if ('value' in verdict) return asTexts(verdict, new Set(others));
    if (others === refused) second = verdict;
  }
  return { issues: both(first.issues, 'issues' in second ? second.issues : [], refused) };
}

function isConverted({ readings, path }: Setting, value: Tree): boolean {
  return typeof readings[0] !== 'string' && typeof valueAt(value, path) === 'string';
}

/** The tree with a setting laid over it, by its likelier reading unless it is one of `others`. */
export function placed(tree: Tree, setting: Setting, others: ReadonlySet<Setting>): Tree {
  const [reading, other] = setting.readings;
  return withValueAt(tree, setting.path, others.has(setting) ? other : reading);
}

async function verdictOf<T>(schema: StandardSchema<T>, tree: Tree): Promise<Verdict<T>> {
  const result = await schema['~standard'].validate(tree);
  return result.issues === undefined ? result : { issues: result.issues.map(located) };
}

function located({ path = [], message }: SchemaIssue): Located {
  const parts = path.map((part) => (typeof part === 'object' ? part.key : part));
  return { message, path: parts.map((part) => (typeof part === 'number' ? part : String(part))) };
}

/** The remaining faults; for variables that fit neither reading, the faults of both. */
function both(
  first: readonly Located[],
  second: readonly Located[],
  refused: readonly Setting[],
): readonly Located[] {
  return first.flatMap((issue) => {
    const setting = refused.find(({ path }) => isWithin(issue.path, path));
    if (setting === undefined) return [issue];
    const other = second.find(({ path }) => isWithin(path, setting.path));
    if (other === undefined) return [];
    const isText = typeof setting.readings[0] === 'string';
    const as = isText ? 'read as JSON' : 'read as text';
    const message =
      other.message === issue.message ? issue.message : `${issue.message}; ${as}: ${other.message}`;
    return [{ path: issue.path, message }];
  });
}
