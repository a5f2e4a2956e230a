import { isPlainObject, isReadableError } from './kind-of-value.js';

/** The arguments of a log call that no hole of its template takes, by what they are. */
export interface SurplusArguments {
  /** The first of them that is an error; undefined if there is none. */
  readonly error: unknown;
  /** The last of the others, if it is a plain object: its members are fields. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  /** The rest, in their order. */
  readonly others: readonly unknown[];
}

/**
 * Takes apart the arguments after those that fill holes: `('Order {Id} failed', id, error, { tenant })`.
 * Undefined and null in the last place mean that there is no error.
 *
 * @param isError which values are errors. Default: every Error that can be read.
 */
export function surplusArguments(
  surplus: readonly unknown[],
  isError: (value: unknown) => boolean = isReadableError,
): SurplusArguments {
  const others = [...surplus];
  if (isNone(others.at(-1))) others.pop();
  const place = others.findIndex((value) => isError(value));
  const [error] = place < 0 ? [] : others.splice(place, 1);
  const last = others.at(-1);
  if (!isPlainObject(last)) return { error, fields: undefined, others };
  others.pop();
  return { error, fields: last, others };
}

/**
 * Whether the first text of a log call that may begin with an error is its template, and not the text of an
 * error: `error('Order {Id} failed', 'o-17')`, but `error('disk full', 'Saving failed')`.
 *
 * @param args the arguments after it.
 * @param argumentCount returns how many arguments the holes of a template take.
 */
// Why: docs/decisions/0245
export function isTemplateFirst(
  first: string,
  args: readonly unknown[],
  argumentCount: (template: string) => number,
): boolean {
  const [second, ...others] = args;
  if (typeof second !== 'string' || args.some(isReadableError)) return true;
  const count = argumentCount(first);
  if (count === 0 || count > args.length) return false;
  return isFilled(count, args) || !isFilled(argumentCount(second), others);
}

/** Whether a template has holes, and the arguments are their values and nothing else but fields. */
function isFilled(count: number, args: readonly unknown[]): boolean {
  if (count === 0 || count > args.length) return false;
  return args.slice(count).every((value) => isNone(value) || isPlainObject(value));
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}
