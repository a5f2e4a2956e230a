import type { Mistakes } from '../mistakes.js';
import { shownValue, thrownText } from '../shown-value.js';

/** The allowed values of one option, wherever it can be given: in code or in a document. */
export interface Option<T> {
  /** Its JSON Schema; undefined for options that a document cannot hold, such as functions. */
  readonly schema: object | undefined;
  /**
   * Reads the value; if it is wrong, records a mistake with its path and returns undefined. Not called for an
   * absent option.
   */
  readonly read: (value: unknown, at: string, mistakes: Mistakes) => T | undefined;
  /** The value of an absent option, or a mistake. Default: an absent option is undefined. */
  readonly absent?: (at: string, mistakes: Mistakes) => T;
}

/** An option that always has a value once it is read without a mistake. */
export interface FilledOption<T> extends Option<T> {
  readonly absent: (at: string, mistakes: Mistakes) => T;
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

/** The option with its default, which also stands in for a wrong value until the mistakes are thrown. */
export function withDefault<T>({ schema, read }: Option<T>, value: NoInfer<T>): FilledOption<T> {
  const isData = schema !== undefined && !Object.hasOwn(schema, 'default') && isJson(value);
  return {
    schema: isData ? { ...schema, default: value } : schema,
    read: (given, at, mistakes) => read(given, at, mistakes) ?? value,
    absent: () => value,
  };
}

/**
 * The option as one that must be given. `otherwise` stands in for a missing or wrong value until the mistakes
 * are thrown.
 */
export function required<T>({ schema, read }: Option<T>, otherwise: NoInfer<T>): FilledOption<T> {
  return {
    schema,
    read: (given, at, mistakes) => read(given, at, mistakes) ?? otherwise,
    absent(at, mistakes) {
      // Read, so that the text says what must be given.
      read(undefined, at, mistakes);
      return otherwise;
    },
  };
}

/** The path of an option inside the options at `at`. */
export function optionPath(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The prefixes that errors of our packages begin with. */
const PACKAGE =
  /^(?:apix|authz|calls|cron|gateway|grpc|host|hostx|http2|logx|mcp|otel|proto|start|swagger-ui)(?:-[a-z]+)?: /;

/** The text of an error without the prefix of its package: the path of the mistake names the culprit already. */
export function textInPath(error: unknown): string {
  return thrownText(error).replace(PACKAGE, '');
}

function isJson(value: unknown): boolean {
  return ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}
