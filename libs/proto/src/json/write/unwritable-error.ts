import { shownValue } from '@apix/contracts';
import { itemPath, memberPath } from '../json-decode-error.js';

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
