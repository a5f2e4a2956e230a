import type { Hole } from '../template/template.js';
import type { FieldValue } from '../value/field-value.js';
import { plainText } from '../value/plain-text.js';

/** The value as it is in the message: formatted, then aligned. */
export function valueText(value: FieldValue, hole: Hole): string {
  const { format, alignment } = hole;
  const text = format?.(value) ?? plainText(value);
  if (alignment === 0) return text;
  return alignment > 0 ? text.padStart(alignment) : text.padEnd(-alignment);
}
