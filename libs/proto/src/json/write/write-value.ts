import type { JsonFragment } from './fragments.js';
import type { ByteSink } from '../../bytes/byte-sink.js';
import { MAX_DEPTH } from '../../wire/wire-source.js';
import { UnwritableError } from './unwritable-error.js';

/** A message as an object whose members have not been checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes a fragment, usually a member's name, and a value after it.
 *
 * @param depth of the value, if it is a message: 1 for the outermost one.
 * @throws UnwritableError for a value that the field must not hold.
 */
export type WriteValue = (sink: ByteSink, key: JsonFragment, value: unknown, depth: number) => void;

/** A deeper message could not be read again; a cycle, or an Any in an Any, would have no end. */
export function checkJsonDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new UnwritableError(`nested deeper than ${MAX_DEPTH} levels`);
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
