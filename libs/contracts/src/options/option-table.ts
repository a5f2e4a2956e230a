import { Mistakes } from '../mistakes.js';
import { shownValue } from '../shown-value.js';
import { type FilledOption, isRecord, type Option, optionPath } from './option.js';
import { nearestName } from '../nearest-name.js';

/**
 * Every option of an interface, each with its allowed values. The compiler requires every option of the
 * interface here: `{ … } satisfies OptionTable<FileSinkOptions>`.
 */
export type OptionTable<T extends object> = {
  readonly [K in keyof T]-?: Option<unknown>;
};

/** The result of reading with a table; an option without a default is undefined if it is absent or wrong. */
export type ReadOptions<T extends AnyTable> = {
  readonly [K in keyof T as T[K] extends FilledOption<unknown> ? K : never]: ValueOf<T[K]>;
} & {
  readonly [K in keyof T as T[K] extends FilledOption<unknown> ? never : K]?:
    ValueOf<T[K]> | undefined;
};

type ValueOf<O> = O extends Option<infer V> ? V : never;

export type AnyTable = Readonly<Record<string, Option<unknown>>>;

/**
 * Reads options by their table. Records mistakes: a value that is not an object, options of the wrong type,
 * and names that the table does not have.
 *
 * @param at the path of the options, for the mistakes: empty, or such as `http`.
 */
export function readOptions<T extends AnyTable>(
  table: T,
  options: unknown,
  at: string,
  mistakes: Mistakes,
): ReadOptions<T> {
  const given = membersOf(options, at, mistakes);
  const read: Record<string, unknown> = {};
  for (const [name, { read: readOne, absent }] of Object.entries(table)) {
    const value = given[name];
    const path = optionPath(at, name);
    if (value !== undefined) read[name] = readOne(value, path, mistakes);
    else if (absent !== undefined) read[name] = absent(path, mistakes);
  }
  refuseUnknown(given, Object.keys(table), at, mistakes);
  return read as ReadOptions<T>;
}

/**
 * Reads options by their table.
 *
 * @param check finds mistakes between options; it may get values of wrong options as undefined or as their default.
 * @throws what `refuse` makes of all mistakes, if there are any.
 */
export function checkedOptions<T extends AnyTable>(
  table: T,
  options: unknown,
  refuse: (mistakes: readonly string[]) => Error,
  check: (read: ReadOptions<T>, mistakes: Mistakes) => void = () => {},
): ReadOptions<T> {
  const mistakes = new Mistakes();
  const read = readOptions(table, options, '', mistakes);
  check(read, mistakes);
  mistakes.throwIfAny(refuse);
  return read;
}

/** An option that is an object of options, with its own table. */
export function section<T extends AnyTable>(table: T): Option<ReadOptions<T>> {
  return {
    schema: schemaOf(table),
    read: (value, at, mistakes) => readOptions(table, value, at, mistakes),
  };
}

/** A section that is read, for its defaults, if it is absent too. */
export function filledSection<T extends AnyTable>(table: T): FilledOption<ReadOptions<T>> {
  return { ...section(table), absent: (at, mistakes) => readOptions(table, {}, at, mistakes) };
}

/** The JSON Schema of the options of a table that a document can hold. */
export function schemaOf(table: AnyTable): object {
  return { type: 'object', additionalProperties: false, properties: schemasOf(table) };
}

/** The schemas of those options that a document can hold. */
export function schemasOf(table: AnyTable): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, { schema }]) => (schema ? [[name, schema]] : [])),
  );
}

/** Notes each name that is not among the known ones. */
export function refuseUnknown(
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
  at: string,
  mistakes: Mistakes,
): void {
  for (const name of Object.keys(given)) {
    // Why: docs/decisions/0244
    if (known.includes(name) || isAbsent(given, name)) continue;
    mistakes.add(optionPath(at, name), unknownText(name, known));
  }
}

/** Whether a member is undefined; checked without reading it, as only its table may do that. */
// Why: docs/decisions/0058
function isAbsent(given: object, name: string): boolean {
  const member = Object.getOwnPropertyDescriptor(given, name);
  return member === undefined || (member.get === undefined && member.value === undefined);
}

function unknownText(name: string, known: readonly string[]): string {
  const meant = meantOption(name, known);
  if (meant !== undefined) return `is not known here; did you mean ${meant}?`;
  return known.length === 0
    ? 'is not known here'
    : `is not known here; use one of ${known.join(', ')}`;
}

function membersOf(
  options: unknown,
  at: string,
  mistakes: Mistakes,
): Readonly<Record<string, unknown>> {
  if (isRecord(options)) return options;
  mistakes.add(at, `must be an object, not ${shownValue(options)}`);
  return {};
}

/** Shorter names are contained in too many others. */
const MIN_PART = 4;

/** The known option that an unknown one most likely means: the most similar, or one that contains it or is contained in it. */
function meantOption(name: string, known: readonly string[]): string | undefined {
  return nearestName(name, known) ?? known.find((candidate) => isPart(name, candidate));
}

function isPart(name: string, other: string): boolean {
  const [a, b] = [name.toLowerCase(), other.toLowerCase()];
  return Math.min(a.length, b.length) >= MIN_PART && (a.includes(b) || b.includes(a));
}
