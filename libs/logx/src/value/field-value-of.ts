import type { FieldValue } from './field-value.js';
import { fieldValue } from './taken-value.js';
import type { ResolvedLimits } from './value-limits.js';
import { ValueReader } from './value-reader.js';

/**
 * Copies any value as plain data. It never throws: a part that cannot be read is replaced by a text in
 * brackets that says why.
 */
export function fieldValueOf(value: unknown, limits: ResolvedLimits): FieldValue {
  return fieldValue(new ValueReader(limits).take(value));
}
