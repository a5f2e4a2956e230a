import { type Mistakes, parseDuration, shownValue } from '@apix/contracts';
import {
  AMOUNT,
  choice,
  FLAG,
  isRecord,
  type Option,
  option,
  parsedOption,
  optionPath,
} from '../options/option.js';
import { type AnyTable, type ReadOptions, refuseUnknown } from '../options/option-table.js';

const STRING: Option<string> = option('a string', (value) => typeof value === 'string');
const LIST: Option<readonly unknown[]> = option('a list', Array.isArray);
const TEXTS: Option<Readonly<Record<string, string>>> = option(
  'an object of strings',
  (value) => isRecord(value) && Object.values(value).every((text) => typeof text === 'string'),
);
const DURATION: Option<number> = parsedOption((value) => parseDuration(value as string));

/**
 * Reads the fields of one object of a configuration document. A field that is absent or null is
 * `undefined`; one of the wrong type is a mistake, noted with its path, and `undefined` as well.
 */
export class Fields {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #known = new Set<string>();

  constructor(
    value: unknown,
    /** Where the object stands in the document. */
    readonly path: string,
    private readonly mistakes: Mistakes,
  ) {
    this.#value = isRecord(value) ? value : {};
    if (!isRecord(value)) this.mistake('', `must be an object, not ${shown(value)}`);
  }

  text(name: string): string | undefined {
    return this.read(name, STRING);
  }

  flag(name: string): boolean | undefined {
    return this.read(name, FLAG);
  }

  /** A finite number from 0 up. */
  amount(name: string): number | undefined {
    return this.read(name, AMOUNT);
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    return this.read(name, choice(allowed));
  }

  /** A duration such as `10s`, in milliseconds. */
  duration(name: string): number | undefined {
    return this.read(name, DURATION);
  }

  /** An object of strings, such as headers. */
  texts(name: string): Readonly<Record<string, string>> | undefined {
    return this.read(name, TEXTS);
  }

  /** What `parse` makes of a text; what it throws is a mistake. */
  parsedText<T>(name: string, parse: (text: string) => T): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.parsed(name, () => parse(text));
  }

  /** What `parse` makes of the field; what it throws is a mistake. */
  parsed<T>(name: string, parse: (value: unknown) => T): T | undefined {
    return this.read(name, parsedOption(parse));
  }

  /** The field as the option reads it. */
  read<T>(name: string, { read }: Option<T>): T | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : read(value, this.pathOf(name), this.mistakes);
  }

  /** All fields that a table has. */
  readAll<T extends AnyTable>(table: T): ReadOptions<T> {
    const read = Object.entries(table).map(([name, each]) => [name, this.read(name, each)]);
    return Object.fromEntries(read) as ReadOptions<T>;
  }

  /** The field as it stands in the document. */
  raw(name: string): unknown {
    this.#known.add(name);
    // Whoever gives a tree that is watched learns from this that the field could be there.
    // Why: docs/decisions/0218
    const value = this.#value[name];
    return Object.hasOwn(this.#value, name) ? (value ?? undefined) : undefined;
  }

  /** The fields of an object inside this one. */
  within(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Fields(value, this.pathOf(name), this.mistakes);
  }

  /** What `read` makes of each object in a list; whatever else is in it is a mistake. */
  each<T>(name: string, read: (fields: Fields) => T): readonly T[] | undefined {
    return this.read(name, LIST)?.flatMap((item, i) => {
      const fields = new Fields(item, `${this.pathOf(name)}[${i}]`, this.mistakes);
      return isRecord(item) ? [read(fields)] : [];
    });
  }

  /** Notes every field that no one has asked for. */
  refuseOthers(): void {
    refuseUnknown(this.#value, [...this.#known], this.path, this.mistakes);
  }

  mistake(name: string, message: string): void {
    this.mistakes.add(this.pathOf(name), message);
  }

  pathOf(name: string): string {
    return name === '' ? this.path : optionPath(this.path, name);
  }
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : shownValue(value);
}
