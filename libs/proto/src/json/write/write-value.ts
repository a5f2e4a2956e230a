import { shownValue } from '@apix/contracts';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { MAX_DEPTH } from '../../wire/wire-error.js';
import { itemPath, memberPath } from '../json-decode-error.js';
import type { JsonFragment } from './fragments.js';

/** A message as an object whose members have not been checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes a fragment, usually a member's name, and a value after it.
 *
 * @param depth of the value, if it is a message: 1 for the outermost one.
 * @throws UnwritableError for a value that the field must not hold.
 */
export type WriteValue = (sink: ByteSink, key: JsonFragment, value: unknown, depth: number) => void;

/** How messages are written: see `JsonCodecOptions`. */
export interface JsonWriteOptions {
  readonly emitDefaults: 'none' | 'values' | 'all';
  readonly protoNames: boolean;
  readonly enumsAsNumbers: boolean;
}

/** A deeper message could not be read again; a cycle, or an Any in an Any, would have no end. */
export function checkJsonDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new UnwritableError(`nested deeper than ${MAX_DEPTH} levels`);
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The reason why a message cannot be written as JSON; the text begins with the place, from `$`. */
export class UnwritableError extends Error {
  #path = '';

  constructor(
    private readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`$: ${problem}`, options);
  }

  /** Prefixes the place with the name or index of the value that is being left. */
  leave(place: string | number): this {
    const step = typeof place === 'number' ? itemPath('', place) : memberPath('', place);
    this.#path = step + this.#path;
    this.message = `$${this.#path}: ${this.problem}`;
    return this;
  }
}

/** The error that a `catch` rethrows once it knows the field, element or key. */
export function leaving(error: unknown, place: string | number): unknown {
  return error instanceof UnwritableError ? error.leave(place) : error;
}

/** @throws UnwritableError */
export function unexpected(expected: string, value: unknown): never {
  throw new UnwritableError(`expected ${expected}, got ${shown(value)}`);
}

function shown(value: unknown): string {
  const typeName: unknown =
    typeof value === 'object' && value !== null && '$typeName' in value
      ? value.$typeName
      : undefined;
  if (typeof typeName === 'string') return `a message ${typeName}`;
  return typeof value === 'bigint' ? `${value}n` : shownValue(value);
}
