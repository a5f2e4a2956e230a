import type { JsonFragment } from './fragments.js';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { MAX_DEPTH } from '../../wire/wire-source.js';
import { UnwritableError } from './unwritable-error.js';

/** A message as what it is: an object whose members no one has looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes a fragment, usually a member's name, and a value after it.
 *
 * @param depth of the value, where it is a message: 1 for the one that none holds.
 * @throws UnwritableError for a value that the field must not hold.
 */
export type WriteValue = (sink: ByteSink, key: JsonFragment, value: unknown, depth: number) => void;

/** What is nested more deeply could not be read again; a cycle, or an Any in an Any, has no end. */
export function checkJsonDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new UnwritableError(`nested deeper than ${MAX_DEPTH} levels`);
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
