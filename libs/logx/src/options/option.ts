import { type Clock, type Mistakes, shownValue, thrownText } from '@apix/contracts';

/** The allowed values of one option, wherever it can be given: in code or in a document. */
export interface Option<T> {
  /** Its JSON Schema, for options that a configuration document has; undefined for all others. */
  readonly schema: object | undefined;
  /**
   * Reads the value; if it is wrong, notes a mistake with its path and returns undefined. Not called for an
   * absent option.
   */
  readonly read: (value: unknown, at: string, mistakes: Mistakes) => T | undefined;
}

/** An option whose valid values are used unchanged; `wanted` describes them in mistakes. */
export function option<T>(
  wanted: string,
  isRight: (value: unknown) => boolean,
  schema?: object,
): Option<T> {
  return {
    schema,
    read(value, at, mistakes) {
      if (isRight(value)) return value as T;
      mistakes.add(at, `must be ${wanted}, not ${shownValue(value)}`);
      return undefined;
    },
  };
}

/** An option that is read by a function; the error that it throws becomes the mistake. */
export function parsedOption<T>(parse: (value: unknown) => T, schema?: object): Option<T> {
  return {
    schema,
    read(value, at, mistakes) {
      try {
        return parse(value);
      } catch (error) {
        mistakes.add(at, textInPath(error));
        return undefined;
      }
    },
  };
}

/** One of several texts. */
export function choice<T extends string>(choices: readonly T[]): Option<T> {
  const list = choices.map((each) => shownValue(each)).join(', ');
  return option(`one of ${list}`, (value) => choices.includes(value as T), { enum: choices });
}

export const FLAG: Option<boolean> = option(
  'true or false',
  (value) => typeof value === 'boolean',
  { type: 'boolean' },
);

export const TEXT: Option<string> = option(
  'a non-empty string',
  (value) => typeof value === 'string' && value !== '',
  { type: 'string', minLength: 1 },
);

/** A finite number from 0 up. */
export const AMOUNT: Option<number> = option(
  'a number of at least 0',
  (value) => Number.isFinite(value) && (value as number) >= 0,
  { type: 'number', minimum: 0 },
);

/** A number from 0 up, or `Infinity`. */
export const LIMIT: Option<number> = option(
  'a number of at least 0',
  (value) => typeof value === 'number' && value >= 0,
  { type: 'number', minimum: 0 },
);

/** A whole number within bounds, both included. */
export function wholeNumber(min: number, max: number): Option<number> {
  return option(
    `an integer from ${min} to ${max}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
    { type: 'integer', minimum: min, maximum: max },
  );
}

/** A function of whatever type the options declare. */
export function callable<T>(): Option<T> {
  return option('a function', (value) => typeof value === 'function');
}

/** An object that has these methods. */
export function objectWith<T>(
  wanted: string,
  ...methods: readonly (keyof T & string)[]
): Option<T> {
  return option(wanted, (value) => hasMethods(value, methods));
}

export const CLOCK: Option<Clock> = objectWith<Clock>('a clock', 'now', 'after');

/** The path of an option inside the options at `at`. */
export function optionPath(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const members = value as Readonly<Record<string, unknown>>;
  return methods.every((name) => typeof members[name] === 'function');
}

/** The text of an error without our prefix: the path of the mistake names the culprit already. */
export function textInPath(error: unknown): string {
  return thrownText(error).replace(/^(?:apix|logx): /, '');
}
