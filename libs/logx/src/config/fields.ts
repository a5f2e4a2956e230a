import { type Mistakes, parseDuration, shownValue } from '@apix/contracts';
import {
  type AnyTable,
  choice,
  FLAG,
  isRecord,
  finiteNumber,
  option,
  type Option,
  optionPath,
  parsedOption,
  STRING,
  type ReadOptions,
  refuseUnknown,
} from '@apix/contracts/internal';

const LIST: Option<readonly unknown[]> = option('a list', Array.isArray);
const TEXTS: Option<Readonly<Record<string, string>>> = option(
  'an object of strings',
  (value) => isRecord(value) && Object.values(value).every((text) => typeof text === 'string'),
);
const DURATION: Option<number> = parsedOption((value) => parseDuration(value as string));

/**
 * Reads the fields of one object of a configuration document. A field that is absent or null is
 * `undefined`; a field of the wrong type is `undefined` too, and noted as a mistake with its path.
 */
export class Fields {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #known = new Set<string>();

  constructor(
    value: unknown,
    /** The path of the object in the document. */
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
    return this.read(name, finiteNumber({ min: 0 }));
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

  /** The result of `parse` for a text; an error that it throws becomes a mistake. */
  parsedText<T>(name: string, parse: (text: string) => T): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.parsed(name, () => parse(text));
  }

  /** The result of `parse` for the field; an error that it throws becomes a mistake. */
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

  /** The field as it is in the document. */
  raw(name: string): unknown {
    this.#known.add(name);
    // This shows the owner of a watched tree that the field could exist. Why: docs/decisions/0058
    const value = this.#value[name];
    return Object.hasOwn(this.#value, name) ? (value ?? undefined) : undefined;
  }

  /** The fields of an object inside this one. */
  within(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Fields(value, this.pathOf(name), this.mistakes);
  }

  /** The results of `read` for each object in a list; any other item is a mistake. */
  each<T>(name: string, read: (fields: Fields) => T): readonly T[] | undefined {
    return this.read(name, LIST)?.flatMap((item, i) => {
      const fields = new Fields(item, `${this.pathOf(name)}[${i}]`, this.mistakes);
      return isRecord(item) ? [read(fields)] : [];
    });
  }

  /** Records every field that was not read as a mistake. */
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
