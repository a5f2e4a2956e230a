import { cutText } from './cut-text.js';
import type { FieldValue } from './field-value.js';
import { fieldValue, type TakenValue } from './taken-value.js';
import type { ResolvedLimits } from './value-limits.js';
import { ValueReader } from './value-reader.js';

/**
 * Copies any value as plain data. It never throws: a part that cannot be read is replaced by a text in
 * brackets that says why.
 */
export function fieldValueOf(value: unknown, limits: ResolvedLimits): FieldValue {
  return fieldValue(takenValueOf(value, limits));
}

/** Like {@link fieldValueOf}, but objects are converted only when they are needed: most events are only encoded as lines. */
export function takenValueOf(value: unknown, limits: ResolvedLimits): TakenValue {
  switch (typeof value) {
    case 'string':
      return cutText(value, limits.text);
    case 'number':
    case 'boolean':
    case 'bigint':
      return value;
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : new ValueReader(limits).read(value);
    case 'symbol':
    case 'function':
      return new ValueReader(limits).read(value);
  }
}
