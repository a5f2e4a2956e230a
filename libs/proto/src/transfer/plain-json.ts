import { isPlainObject } from '@apix/contracts';
import { MAX_DEPTH } from './walk.js';
import { DEPTH_OF_LEVEL } from './take-json.js';

/** Whether a google.protobuf.Struct in a field, which is plain JSON there, stays as it is. */
export function isPlainJsonObject(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH || !isPlainObject(value)) return false;
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed() || !isPlainJson(value[key], depth + DEPTH_OF_LEVEL)) return false;
  }
  return true;
}

/** A value without a JSON form is refused by the writer. */
function isPlainJson(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (!Array.isArray(value)) return isPlainJsonObject(value, depth);
  if (depth > MAX_DEPTH) return false;
  return value.every((item) => isPlainJson(item, depth + DEPTH_OF_LEVEL));
}
