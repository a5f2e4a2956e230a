import { type Mistakes, parseDuration, shownValue, thrownText } from '@apix/contracts';

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
    return this.#read(name, 'a string', (value) => typeof value === 'string');
  }

  flag(name: string): boolean | undefined {
    return this.#read(name, 'true or false', (value) => typeof value === 'boolean');
  }

  /** A finite number from 0 up. */
  amount(name: string): number | undefined {
    return this.#read(
      name,
      'a number of at least 0',
      (value): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0,
    );
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    return this.#read(name, oneOfText(allowed), (value): value is T =>
      allowed.includes(value as T),
    );
  }

  /** A duration such as `10s`, in milliseconds. */
  duration(name: string): number | undefined {
    return this.parsed(name, (value) => parseDuration(value as string));
  }

  /** An object of strings, such as headers. */
  texts(name: string): Readonly<Record<string, string>> | undefined {
    return this.#read(
      name,
      'an object of strings',
      (value): value is Readonly<Record<string, string>> =>
        isRecord(value) && Object.values(value).every((text) => typeof text === 'string'),
    );
  }

  /** What `parse` makes of a text; what it throws is a mistake. */
  parsedText<T>(name: string, parse: (text: string) => T): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.parsed(name, () => parse(text));
  }

  /** What `parse` makes of the field; what it throws is a mistake. */
  parsed<T>(name: string, parse: (value: unknown) => T): T | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    try {
      return parse(value);
    } catch (error) {
      this.mistake(name, textInPath(error));
      return undefined;
    }
  }

  /** The field as it stands in the document. */
  raw(name: string): unknown {
    this.#known.add(name);
    return Object.hasOwn(this.#value, name) ? (this.#value[name] ?? undefined) : undefined;
  }

  /** The fields of an object inside this one. */
  within(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Fields(value, this.pathOf(name), this.mistakes);
  }

  /** What `read` makes of each object in a list; whatever else is in it is a mistake. */
  each<T>(name: string, read: (fields: Fields) => T): readonly T[] | undefined {
    const list = this.#read(name, 'a list', (value): value is unknown[] => Array.isArray(value));
    return list?.flatMap((item, i) => {
      const fields = new Fields(item, `${this.pathOf(name)}[${i}]`, this.mistakes);
      return isRecord(item) ? [read(fields)] : [];
    });
  }

  /** Notes every field that nobody has asked for. */
  refuseOthers(): void {
    for (const name of Object.keys(this.#value)) {
      // Why: docs/decisions/0047
      if (this.#known.has(name)) continue;
      const known = [...this.#known].join(', ');
      this.mistake(
        name,
        known === '' ? 'is not known here' : `is not known here; use one of ${known}`,
      );
    }
  }

  mistake(name: string, message: string): void {
    this.mistakes.add(this.pathOf(name), message);
  }

  pathOf(name: string): string {
    return name === '' || this.path === '' ? this.path + name : `${this.path}.${name}`;
  }

  #read<T>(name: string, wanted: string, isRight: (value: unknown) => value is T): T | undefined {
    const value = this.raw(name);
    if (value === undefined || isRight(value)) return value;
    this.mistake(name, `must be ${wanted}, not ${shown(value)}`);
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function oneOfText(allowed: readonly string[]): string {
  return `one of ${allowed.map((each) => shownValue(each)).join(', ')}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : shownValue(value);
}

/** The text of an error without our prefix: the path of the mistake names the culprit already. */
export function textInPath(error: unknown): string {
  return thrownText(error).replace(/^(?:apix|logx): /, '');
}
