import type { JsonFragment } from './fragments.js';
import type { ByteSink } from '../../bytes/byte-sink.js';

/** A message as what it is: an object whose members nobody has looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes a fragment, usually a member's name, and a value after it.
 *
 * @throws UnwritableError for a value that the field must not hold.
 */
export type WriteValue = (sink: ByteSink, key: JsonFragment, value: unknown) => void;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
