import { types } from 'node:util';

/** Whether a value is a list of strings. A proxy is not: it may return other values later, and may have no end. */
export function isTextList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || types.isProxy(value)) return false;
  // By index, because an array may have an own iterator.
  const { length } = value;
  for (let i = 0; i < length; i++) if (typeof value[i] !== 'string') return false;
  return true;
}
