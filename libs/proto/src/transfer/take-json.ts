import { isPlainObject } from '@apix/contracts';
import { BYTES_OF_UNIT } from './take-scalar.js';
import { HEAD_BYTES, MAX_DEPTH, NUMBER_BYTES, ODD, type Walk, count } from './walk.js';

/** A Struct is a message with entries, whose values are messages that may be a Struct. */
export const DEPTH_OF_LEVEL = 3;

/** google.protobuf.Struct in a field, which is plain JSON there. */
export function takeJsonObject(value: unknown, walk: Walk, depth: number): object {
  if (depth > MAX_DEPTH || !isPlainObject(value)) throw ODD;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || !key.isWellFormed()) throw ODD;
    count(walk, 3 * HEAD_BYTES + BYTES_OF_UNIT * key.length);
    copy[key] = takeJson(value[key], walk, depth + DEPTH_OF_LEVEL);
  }
  return copy;
}

function takeJson(value: unknown, walk: Walk, depth: number): unknown {
  count(walk, NUMBER_BYTES + HEAD_BYTES);
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw ODD;
      count(walk, BYTES_OF_UNIT * value.length);
      return value;
    case 'number':
      // JSON has no form for the others.
      if (!Number.isFinite(value)) throw ODD;
      return value;
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return value;
      return Array.isArray(value)
        ? takeJsonArray(value, walk, depth)
        : takeJsonObject(value, walk, depth);
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
      throw ODD;
  }
}

function takeJsonArray(items: readonly unknown[], walk: Walk, depth: number): unknown[] {
  if (depth > MAX_DEPTH) throw ODD;
  const copy: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    copy.push(takeJson(items[i], walk, depth + DEPTH_OF_LEVEL));
  }
  return copy;
}
