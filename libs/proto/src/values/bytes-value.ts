import { isUint8Array } from 'node:util/types';
import { refuse } from './refuse.js';

/** Bytes, as they were given: code that keeps them must copy them. */
export function bytesValue(value: unknown): Uint8Array {
  return isUint8Array(value) ? value : refuse('a Uint8Array', value);
}
