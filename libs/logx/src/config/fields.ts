import { parseDuration } from '@apix/contracts';
import { reasonOf } from '../sinks/reason-of.js';
import type { ConfigMistake } from './config-error.js';

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
    private readonly mistakes: ConfigMistake[],
  ) {
    this.#value = isRecord(value) ? value : {};
    if (!isRecord(value)) this.mistake('', `must be an object, not ${described(value)}`);
  }

  text(name: string): string | undefined {
    return this.#read(name, 'a text', (value) => typeof value === 'string');
  }

  flag(name: string): boolean | undefined {
    return this.#read(name, 'true or false', (value) => typeof value === 'boolean');
  }

  /** A finite number from 0 up. */
  amount(name: string): number | undefined {
    return this.#read(
      name,
      'a number from 0 up',
      (value): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0,
    );
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    return this.#read(name, anyOf(allowed), (value): value is T => allowed.includes(value as T));
  }

  /** A duration such as `10s`, in milliseconds. */
  duration(name: string): number | undefined {
    return this.parsed(name, (value) => parseDuration(value as string));
  }

  /** An object of texts, such as headers. */
  texts(name: string): Readonly<Record<string, string>> | undefined {
    return this.#read(
      name,
      'an object of texts',
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
      this.mistake(name, withoutPrefix(error));
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
      this.mistake(name, `unknown; known here: ${known === '' ? 'nothing' : known}`);
    }
  }

  mistake(name: string, message: string): void {
    this.mistakes.push({ path: this.pathOf(name), message });
  }

  pathOf(name: string): string {
    return name === '' || this.path === '' ? this.path + name : `${this.path}.${name}`;
  }

  #read<T>(name: string, wanted: string, isRight: (value: unknown) => value is T): T | undefined {
    const value = this.raw(name);
    if (value === undefined || isRight(value)) return value;
    this.mistake(name, `must be ${wanted}, not ${described(value)}`);
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function anyOf(allowed: readonly string[]): string {
  return allowed.length === 1
    ? allowed[0]!
    : `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)!}`;
}

function described(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The mistake's path says already whose it is. */
function withoutPrefix(error: unknown): string {
  return reasonOf(error).replace(/^(?:apix|logx): /, '');
}
